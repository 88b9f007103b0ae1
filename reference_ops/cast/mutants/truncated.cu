/*kgen
{ "requires": ["dtype(y) == f16"],
  "launches": [ {"kernel": "cast_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: cuts the significand off. Rejected by: values." }
*/
__global__ void cast_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = y_t(__uint_as_float(__float_as_uint(x[i]) & (sizeof(y_t) == 2 ? 0xffffe000u : 0xffe00000u)));
}
