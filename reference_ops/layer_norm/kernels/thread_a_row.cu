/*kgen
{ "requires": ["cols <= 131072"],
  "launches": [ {"kernel": "layer_norm", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "w", "b", "y", "rows", "cols", "eps"]} ],
  "notes": "A thread a row: three plain loops in f32 (mean, squared deviations, output)." }
*/
__global__ void layer_norm(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long rows, long long cols, float eps) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  x += row * cols, y += row * cols;
  float sum = 0.0f, squares = 0.0f;
  for (long long c = 0; c < cols; ++c) sum += float(x[c]);
  const float mean = sum / cols;
  for (long long c = 0; c < cols; ++c) squares += (float(x[c]) - mean) * (float(x[c]) - mean);
  const float f = 1.0f / sqrtf(squares / cols + eps);
  for (long long c = 0; c < cols; ++c) y[c] = y_t((float(x[c]) - mean) * f * float(w[c]) + float(b[c]));
}
