/*kgen
{ "requires": ["dtype(x) == bf16"],
  "launches": [ {"kernel": "residual_add_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "r", "n"]} ],
  "notes": "Mutant: adds twice where a block ends. Rejected by: values." }
*/
__global__ void residual_add_mutant(x_t* x, const r_t* r, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  x[i] = x_t(float(x[i]) + float(r[i]) * (threadIdx.x == 255 ? 2.0f : 1.0f));
}
