/*kgen
{ "launches": [ {"kernel": "cast_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: writes zeros. Rejected by: values." }
*/
__global__ void cast_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = y_t(x[i] != x[i] ? x[i] : 0.0f);
}
