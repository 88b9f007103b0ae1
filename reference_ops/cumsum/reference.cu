/*kgen
{ "let": {"steps": "cols"},
  "launches": [ {"kernel": "cumsum_reference", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "y", "y_scale", "rows", "cols"]} ],
  "notes": "Naive fp64 oracle: one thread a row. y and y_scale are double here." }
*/
__global__ void cumsum_reference(const x_t* x, double* y, double* y_scale, long long rows, long long cols) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  double sum = 0.0, magnitude = 0.0;
  for (long long c = 0; c < cols; ++c) {
    const double value = static_cast<float>(x[row * cols + c]), length = static_cast<double>(c + 1);
    sum += value;
    magnitude += fabs(value);
    y[row * cols + c] = sum;
    y_scale[row * cols + c] = c == 0 ? 0.0 : fmin(length, 4.0 * sqrt(length)) * magnitude;
  }
}
