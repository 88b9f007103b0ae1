/*kgen
{ "requires": ["cols <= 4194304"],
  "launches": [ {"kernel": "residual_rms_norm", "grid": ["ceil_div(rows, 4)"], "block": [32, 4],
                 "args": ["x", "residual", "w", "y", "rows", "cols", "eps"]} ],
  "notes": "One warp a row, shuffles." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) residual_rms_norm(const x_t* __restrict__ x, residual_t* __restrict__ residual,
                                                         const w_t* __restrict__ w, y_t* __restrict__ y, long long rows,
                                                         long long cols, float eps) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const x_t* const from = x + row * cols;
  residual_t* const sums = residual + row * cols;
  float squares = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float h = float(from[c]) + float(sums[c]);
    squares = fmaf(h, h, squares);
  }
  const float factor = rsqrtf(warp_sum(squares) * (1.0f / cols) + eps);
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float h = float(from[c]) + float(sums[c]);
    sums[c] = residual_t(h);
    y[row * cols + c] = y_t(h * factor * float(w[c]));
  }
}
