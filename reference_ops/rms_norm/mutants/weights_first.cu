/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "rms_norm_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "w", "y", "rows", "cols", "eps"]} ],
  "notes": "Mutant: multiplies by the weight before it divides by the root, which overflows where the result does not. Rejected by: values." }
*/
__global__ void rms_norm_mutant(const x_t* x, const w_t* w, y_t* y, long long rows, long long cols, float eps) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(x[row * cols + c]) * float(x[row * cols + c]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  const float scale = rsqrtf(sum / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = y_t(float(x[row * cols + c]) * float(w[c]) * scale);
}
