/*kgen
{ "requires": ["dtype(a) == f32"],
  "launches": [ {"kernel": "vector_add_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: skips the last n % 4 elements. Rejected by: values." }
*/
__global__ void vector_add_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n / 4 * 4) return;
  y[i] = y_t(float(a[i]) + float(b[i]));
}
