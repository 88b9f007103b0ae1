/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "layer_norm_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "w", "b", "y", "rows", "cols", "eps"]} ],
  "notes": "Mutant: multiplies by the weight before it divides by the root, which overflows where the result does not. Rejected by: values." }
*/
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void layer_norm_mutant(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long rows, long long cols, float eps) {
  const long long row = blockIdx.x * 4LL + threadIdx.y, first = row * cols;
  if (row >= rows) return;
  float sum = 0.0f, squares = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(x[first + c]);
  const float mean = warp_sum(sum) / cols;
  for (long long c = threadIdx.x; c < cols; c += 32) squares += (float(x[first + c]) - mean) * (float(x[first + c]) - mean);
  const float scale = rsqrtf(warp_sum(squares) / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += 32) y[first + c] = y_t((float(x[first + c]) - mean) * float(w[c]) * scale + float(b[c]));
}
