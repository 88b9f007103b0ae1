/*kgen
{ "requires": ["cols <= 65536"],
  "launches": [ {"kernel": "layer_norm_updated", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "w", "b", "y", "rows", "cols", "eps"]} ],
  "notes": "Welford by a thread a row, rounded reciprocals of the count: its mean stands still where steps are below half a spacing." }
*/
__global__ void layer_norm_updated(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long rows, long long cols, float eps) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  float m = 0.0f, squares = 0.0f;
  for (long long c = 0; c < cols; ++c) {
    const float value = float(x[row * cols + c]), before = value - m;
    m += before * __frcp_rn(float(c + 1));
    squares = fmaf(before, value - m, squares);
  }
  const float factor = rsqrtf(squares / float(cols) + eps);
  for (long long c = 0; c < cols; ++c) {
    y[row * cols + c] = y_t((float(x[row * cols + c]) - m) * factor * float(w[c]) + float(b[c]));
  }
}
