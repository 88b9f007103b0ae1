/*kgen
{ "requires": ["dtype(a) != f16"],
  "launches": [ {"kernel": "add_relu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: takes sums below 1e-20 for zero. Rejected by: values." }
*/
__global__ void add_relu_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 1e-20f ? 0.0f : sum);
}
