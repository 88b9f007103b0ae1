/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "sort_rows_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ],
  "compile": {"fast_math": true}, "notes": "Mutant: takes subnormal numbers for 0 when it compares. Rejected by: values." }
*/
__global__ void sort_rows_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= rows * cols) return;
  const long long row = i / cols, own = i % cols;
  const float value = float(x[i]);
  long long rank = 0;
  for (long long c = 0; c < cols; ++c) {
    const float other = float(x[row * cols + c]);
    rank += other < value || (other == value && c < own);
  }
  y[row * cols + rank] = x[i];
}
