/*kgen
{ "requires": ["cols <= 8388608"],
  "launches": [ {"kernel": "sum", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "One warp a row, two sums a lane, shuffles." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) sum(const x_t* __restrict__ x, y_t* __restrict__ y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float even = 0.0f, odd = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 64) {
    even += float(x[row * cols + c]);
    if (c + 32 < cols) odd += float(x[row * cols + c + 32]);
  }
  const float total = warp_sum(even + odd);
  if (threadIdx.x == 0) y[row] = y_t(total);
}
