/*kgen
{ "requires": ["K <= 4194304"],
  "launches": [ {"kernel": "gemv", "grid": ["ceil_div(M, 4)"], "block": [32, 4], "args": ["a", "x", "y", "M", "K"]} ],
  "notes": "One warp a row, fused multiply-add, shuffles." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) gemv(const a_t* __restrict__ a, const x_t* __restrict__ x, y_t* __restrict__ y, long long M, long long K) {
  const long long m = blockIdx.x * 4LL + threadIdx.y;
  if (m >= M) return;
  float own = 0.0f;
  for (long long k = threadIdx.x; k < K; k += 32) own = fmaf(float(a[m * K + k]), float(x[k]), own);
  own = warp_sum(own);
  if (threadIdx.x == 0) y[m] = y_t(own);
}
