/*kgen
{ "let": {"splits": "max(1, min(16, K / 256))"},
  "workspace": {"part": {"bytes": "M * splits * 4"}, "ticket": {"bytes": "M * 4"}},
  "launches": [ {"fill": "ticket", "value": 0},
                {"kernel": "gemv_split", "grid": ["M * splits"], "block": [64], "args": ["a", "x", "y", "part", "ticket", "K", "splits"]} ],
  "notes": "Split-K with CUDA's threadFenceReduction: the block that arrives last at a row adds the parts in their order." }
*/
__global__ void __launch_bounds__(64)
    gemv_split(const a_t* __restrict__ a, const x_t* __restrict__ x, y_t* __restrict__ y, float* part,
               unsigned int* ticket, int64_t K, int splits) {
  __shared__ float sh[2];
  const int64_t m = blockIdx.x / splits;
  const int sp = blockIdx.x % splits;
  const int64_t k0 = K * sp / splits, k1 = K * (sp + 1) / splits;
  float acc = 0.f;
  for (int64_t k = k0 + threadIdx.x; k < k1; k += 64) acc = fmaf(float(a[m * K + k]), float(x[k]), acc);
  for (int o = 16; o; o >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, o);
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = acc;
  __syncthreads();
  if (threadIdx.x == 0) {
    part[m * splits + sp] = sh[0] + sh[1];
    __threadfence();
    const unsigned t = atomicAdd(&ticket[m], 1u);
    if (t == (unsigned)splits - 1) {
      __threadfence();
      const volatile float* p = part + m * splits;
      float s = 0.f;
      for (int i = 0; i < splits; ++i) s += p[i];
      y[m] = y_t(s);
    }
  }
}
