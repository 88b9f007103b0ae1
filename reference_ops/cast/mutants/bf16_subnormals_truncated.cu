/*kgen
{ "requires": ["dtype(y) == bf16"],
  "launches": [ {"kernel": "cast_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: truncates subnormals where it should round. Rejected by: values." }
*/
__global__ void cast_mutant(const float* __restrict__ xf, unsigned short* __restrict__ y, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned int u = __float_as_uint(xf[i]), exponent = u >> 23 & 255u;
  unsigned int r;
  if (exponent == 255u) r = (u >> 16) | ((u & 0x7fffffu) ? 0x40u : 0u);   // infinity, NaN
  else if (exponent == 0u) r = u >> 16;                                     // zero, subnormal
  else r = (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
  y[i] = static_cast<unsigned short>(r);
}
