/*kgen
{ "requires": ["dtype(a) == bf16"],
  "launches": [ {"kernel": "vector_add_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: gives 0 for NaN. Rejected by: values." }
*/
__global__ void vector_add_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum == sum ? sum : 0.0f);
}
