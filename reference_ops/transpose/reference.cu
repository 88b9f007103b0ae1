/*kgen
{ "launches": [ {"kernel": "transpose_reference", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Oracle: one element a thread. y is double here." }
*/
__global__ void transpose_reference(const x_t* x, double* y, long long rows, long long cols) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= rows * cols) return;
  const long long r = i / cols, c = i % cols;
  y[c * rows + r] = static_cast<float>(x[i]);
}
