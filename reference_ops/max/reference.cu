/*kgen
{ "let": {"steps": "cols"},
  "launches": [ {"kernel": "max_reference", "grid": ["ceil_div(rows, 256)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Oracle: one thread a row. y is double here." }
*/
__global__ void max_reference(const x_t* x, double* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 256LL + threadIdx.x;
  if (row >= rows) return;
  float largest = -INFINITY;
  for (long long c = 0; c < cols; ++c) {
    const float value = static_cast<float>(x[row * cols + c]);
    if (value > largest || value != value) largest = value;  // NaN, once met, stays
  }
  y[row] = largest;
}
