/*kgen
{ "launches": [ {"kernel": "max_rows", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "One warp a row; NaN by a vote." }
*/
__device__ float warp_max(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__global__ void __launch_bounds__(128) max_rows(const x_t* __restrict__ x, y_t* __restrict__ y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float largest = -INFINITY;
  bool has_nan = false;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float value = float(x[row * cols + c]);
    has_nan |= value != value;
    largest = fmaxf(largest, value);
  }
  largest = warp_max(largest);
  has_nan = __any_sync(0xffffffffu, has_nan);
  if (threadIdx.x == 0) y[row] = y_t(has_nan ? NAN : largest);
}
