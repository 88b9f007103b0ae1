/*kgen
{ "launches": [ {"kernel": "add_relu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: leaves negative sums. Rejected by: values." }
*/
__global__ void add_relu_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum);
}
