/*kgen
{ "launches": [ {"kernel": "residual_add_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "r", "n"]} ],
  "notes": "Mutant: leaves x as it was. Rejected by: values." }
*/
__global__ void residual_add_mutant(x_t* x, const r_t* r, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  if (n < 0) x[i] = x_t(float(r[i]));
}
