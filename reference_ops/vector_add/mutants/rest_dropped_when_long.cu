/*kgen
{ "launches": [ {"kernel": "vector_add_mutant", "grid": ["ceil_div(n, 1024)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: from a million elements on the rest behind the last pack of four is not computed. Rejected by: made_shape." }
*/
__global__ void vector_add_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long first = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) * 4;
  const bool is_long = n >= 1 << 20;
  if (is_long && first + 4 > n) return;
  for (long long i = first; i < first + 4 && i < n; ++i) y[i] = y_t(float(a[i]) + float(b[i]));
}
