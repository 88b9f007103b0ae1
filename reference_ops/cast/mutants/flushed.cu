/*kgen
{ "requires": ["dtype(y) == f16"],
  "launches": [ {"kernel": "cast_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: flushes subnormals of f16 to zero. Rejected by: values." }
*/
__global__ void cast_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = y_t(fabsf(x[i]) < 6.103515625e-5f ? 0.0f : x[i]);
}
