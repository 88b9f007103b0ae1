/*kgen
{ "launches": [ {"kernel": "dropout_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "mask", "y", "n", "p"]} ],
  "notes": "Mutant: leaves the factor out. Rejected by: values." }
*/
__global__ void dropout_mutant(const x_t* x, const mask_t* mask, y_t* y, long long n, float p) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = mask[i] ? y_t(float(x[i])) : y_t(0.0f);
}
