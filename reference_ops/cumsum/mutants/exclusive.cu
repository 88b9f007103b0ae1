/*kgen
{ "launches": [ {"kernel": "cumsum_mutant", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: leaves the element itself out. Rejected by: values." }
*/
__global__ void cumsum_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (long long c = 0; c < cols; ++c) {
    y[row * cols + c] = y_t(sum);
    sum += float(x[row * cols + c]);
  }
}
