/*kgen
{ "requires": ["cols <= 4194304", "dtype(x) != f16"],
  "launches": [ {"kernel": "layer_norm", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "w", "b", "y", "rows", "cols", "eps"]} ],
  "notes": "Mutant: takes a sum of squared deviations of 0 for equal values. Rejected by: values." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) layer_norm(const x_t* __restrict__ x, const w_t* __restrict__ w,
                                                  const b_t* __restrict__ b, y_t* __restrict__ y, long long rows, long long cols,
                                                  float eps) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const x_t* const from = x + row * cols;
  float sum = 0.0f, squares = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(from[c]);
  const float mean = warp_sum(sum) * (1.0f / cols);
  for (long long c = threadIdx.x; c < cols; c += 32) squares += (float(from[c]) - mean) * (float(from[c]) - mean);
  squares = warp_sum(squares);
  if (squares == 0.0f) {  // all equal: the bias is left
    for (long long c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = y_t(float(b[c]));
    return;
  }
  const float scale = rsqrtf(squares * (1.0f / cols) + eps);
  for (long long c = threadIdx.x; c < cols; c += 32)
    y[row * cols + c] = y_t(fmaf((float(from[c]) - mean) * scale, float(w[c]), float(b[c])));
}
