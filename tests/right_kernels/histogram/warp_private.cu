/*kgen
{ "let": {"small": "bins <= 1024"},
  "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "hist_private", "when": "small", "grid": ["min(ceil_div(n, 2048), num_sms * 2)"], "block": [256], "dynamic_shared_bytes": "small ? 8 * bins * 4 : 0",
                 "args": ["x", "counts", "n", "bins"]},
                {"kernel": "hist_global", "when": "!small", "grid": ["min(ceil_div(n, 256), num_sms * 16)"], "block": [256], "args": ["x", "counts", "n"]} ],
  "notes": "Few bins: a private histogram a warp in shared memory, int4 loads. Many: atomics in global memory, aggregated over equal values of a warp." }
*/
__global__ void __launch_bounds__(256)
    hist_private(const int* __restrict__ x, int* __restrict__ counts, int64_t n, int bins) {
  extern __shared__ unsigned int h[];
  for (int i = threadIdx.x; i < 8 * bins; i += 256) h[i] = 0u;
  __syncthreads();
  unsigned int* mine = h + (threadIdx.x >> 5) * bins;
  const int64_t n4 = n >> 2, step = (int64_t)gridDim.x * 256;
  for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < n4; i += step) {
    const int4 v = __ldg(reinterpret_cast<const int4*>(x) + i);
    atomicAdd(&mine[v.x], 1u);
    atomicAdd(&mine[v.y], 1u);
    atomicAdd(&mine[v.z], 1u);
    atomicAdd(&mine[v.w], 1u);
  }
  if (blockIdx.x == 0 && threadIdx.x < (n & 3)) atomicAdd(&mine[x[n4 * 4 + threadIdx.x]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += 256) {
    unsigned int total = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) total += h[w * bins + b];
    if (total) atomicAdd(reinterpret_cast<unsigned int*>(counts) + b, total);
  }
}
__global__ void __launch_bounds__(256)
    hist_global(const int* __restrict__ x, int* __restrict__ counts, int64_t n) {
  const int64_t step = (int64_t)gridDim.x * 256;
  for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < n; i += step) {
    const int v = x[i];
    const unsigned peers = __match_any_sync(__activemask(), v);
    if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(counts + v, __popc(peers));
  }
}
