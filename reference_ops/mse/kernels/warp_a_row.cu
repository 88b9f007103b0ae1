/*kgen
{ "requires": ["cols <= 4194304"],
  "launches": [ {"kernel": "mse", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "target", "loss", "rows", "cols"]} ],
  "notes": "One warp a row, fused multiply-add, shuffles." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) mse(const x_t* __restrict__ x, const target_t* __restrict__ target, float* __restrict__ loss,
                                           long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float own = 0.0f;
  for (long long i = row * cols + threadIdx.x; i < (row + 1) * cols; i += 32) {
    const float difference = float(x[i]) - float(target[i]);
    own = fmaf(difference, difference, own);
  }
  own = warp_sum(own);
  if (threadIdx.x == 0) loss[row] = own * (1.0f / cols);
}
