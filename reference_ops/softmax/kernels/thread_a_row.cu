/*kgen
{ "requires": ["cols <= 131072"],
  "launches": [ {"kernel": "softmax", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "y", "rows", "cols"]} ], "notes": "A thread a row, plain loops." }
*/
__global__ void softmax(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY, sum = 0.0f;
  for (long long c = 0; c < cols; ++c) m = fmaxf(m, float(x[row * cols + c]));
  for (long long c = 0; c < cols; ++c) sum += expf(float(x[row * cols + c]) - m);
  for (long long c = 0; c < cols; ++c) y[row * cols + c] = y_t(expf(float(x[row * cols + c]) - m) / sum);
}
