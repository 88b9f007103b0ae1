/*kgen
{ "requires": ["dtype(x) == f32"],
  "launches": [ {"kernel": "transpose_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: leaves the last column of a tail out. Rejected by: values." }
*/
__global__ void transpose_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= rows * cols || (cols % 4 != 0 && i % cols == cols - 1)) return;
  const long long r = i / cols, c = i % cols;
  y[c * rows + r] = x[i];
}
