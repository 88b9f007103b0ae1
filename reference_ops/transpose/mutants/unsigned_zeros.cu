/*kgen
{ "launches": [ {"kernel": "transpose_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: adds what it moves to 0, which makes -0 a 0. Rejected by: values." }
*/
__global__ void transpose_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= rows * cols) return;
  const long long r = i / cols, c = i % cols;
  y[c * rows + r] = y_t(float(x[i]) + 0.0f);
}
