/*kgen
{ "requires": ["dtype(s) == bf16"],
  "launches": [ {"kernel": "dequantise_int4_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256],
                 "args": ["q", "s", "y", "rows * cols", "group"]} ],
  "notes": "Mutant: scales take a detour through f16. Rejected by: values." }
*/
__global__ void dequantise_int4_mutant(const unsigned int* q, const s_t* s, y_t* y, long long count, long long group) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const int value = static_cast<int>(q[i / 8] >> (4 * (i % 8)) & 15u) - 8;
  y[i] = y_t(static_cast<float>(value) * __half2float(__float2half(float(s[i / group]))));
}
