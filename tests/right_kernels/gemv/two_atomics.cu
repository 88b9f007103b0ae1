/*kgen
{ "requires": ["dtype(y) == f32"],
  "launches": [ {"fill": "y", "value": 0},
                {"kernel": "gemv_half", "grid": ["M", 2], "block": [128], "args": ["a", "x", "y", "K"]} ],
  "notes": "Two halves of K, each added once by atomicAdd to a zero: 0 + a + b is the same in either order." }
*/
__global__ void __launch_bounds__(128)
    gemv_half(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int64_t K) {
  __shared__ float sh[128];
  const int64_t m = blockIdx.x, mid = (K + 1) / 2, k0 = blockIdx.y ? mid : 0, k1 = blockIdx.y ? K : mid;
  float acc = 0.f;
  for (int64_t k = k0 + threadIdx.x; k < k1; k += 128) acc = fmaf(a[m * K + k], x[k], acc);
  sh[threadIdx.x] = acc;
  __syncthreads();
  for (int s = 64; s >= 32; s >>= 1) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    float v = sh[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x == 0) atomicAdd(y + m, v);
  }
}
