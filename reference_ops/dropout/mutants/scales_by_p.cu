/*kgen
{ "requires": ["dtype(x) == f16"],
  "launches": [ {"kernel": "dropout_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "mask", "y", "n", "p"]} ],
  "notes": "Mutant: divides by p where it is not 0. Rejected by: values." }
*/
__global__ void dropout_mutant(const x_t* x, const mask_t* mask, y_t* y, long long n, float p) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = mask[i] ? y_t(float(x[i]) * (1.0f / (p > 0.0f ? p : 1.0f))) : y_t(0.0f);
}
