/*kgen
{ "requires": ["dtype(a) == f32"],
  "launches": [ {"kernel": "add_relu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ],
  "notes": "Mutant: keeps the upper 10 bits of a significand. Rejected by: values." }
*/
__global__ void add_relu_mutant(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float left = __uint_as_float(__float_as_uint(float(a[i])) & 0xffffe000u);
  const float sum = left + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
