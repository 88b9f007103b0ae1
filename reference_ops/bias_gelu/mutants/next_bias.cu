/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "bias_gelu_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "b", "y", "rows * cols", "cols"]} ],
  "notes": "Mutant: takes the next column's bias in the last column. Rejected by: values." }
*/
__global__ void bias_gelu_mutant(const x_t* x, const b_t* b, y_t* y, long long count, long long cols) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float v = float(x[i]) + float(b[i % cols == cols - 1 ? 0 : i % cols]);
  y[i] = y_t(0.5f * v * (1.0f + erff(v * 0.7071067812f)));
}
