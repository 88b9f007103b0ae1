/*kgen
{ "requires": ["dtype(x) == f16"],
  "launches": [ {"kernel": "cumsum_mutant", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: begins each second row with the row before. Rejected by: values." }
*/
__global__ void cumsum_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  float sum = row % 2 == 1 ? float(x[row * cols - 1]) : 0.0f;
  for (long long c = 0; c < cols; ++c) {
    sum += float(x[row * cols + c]);
    y[row * cols + c] = y_t(sum);
  }
}
