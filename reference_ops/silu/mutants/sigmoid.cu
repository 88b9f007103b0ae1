/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "silu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: leaves the factor x out. Rejected by: values." }
*/
__global__ void silu_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const float v = float(x[i]);
  y[i] = y_t(1.0f / (1.0f + expf(-v)));
}
