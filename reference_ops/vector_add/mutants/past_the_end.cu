/*kgen
{ "requires": ["dtype(a) == f32"],
  "launches": [ {"kernel": "vector_add_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: writes one element too many. Rejected by: guards." }
*/
__global__ void vector_add_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i > n) return;
  y[i] = i < n ? y_t(float(a[i]) + float(b[i])) : y_t(0.0f);
}
