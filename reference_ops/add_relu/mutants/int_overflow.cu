/*kgen
{ "launches": [ {"kernel": "add_relu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: indexes with 16 bits. Rejected by: values." }
*/
__global__ void add_relu_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const unsigned short j = static_cast<unsigned short>(i);
  const float sum = float(a[j]) + float(b[j]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
