/*kgen
{ "requires": ["dtype(y) == bf16"],
  "launches": [ {"kernel": "cast_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: rounds ties away from zero. Rejected by: values." }
*/
__global__ void cast_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = y_t(__uint_as_float((__float_as_uint(x[i]) + 0x8000u) & 0xffff0000u));
}
