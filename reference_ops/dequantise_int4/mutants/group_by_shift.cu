/*kgen
{ "launches": [ {"kernel": "dequantise_int4_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256],
                 "args": ["q", "s", "y", "rows * cols", "group"]} ],
  "notes": "Mutant: takes a group that is no power of two for the one below. Rejected by: values; on the emulator: out_of_bounds." }
*/
__global__ void dequantise_int4_mutant(const unsigned int* q, const s_t* s, y_t* y, long long count, long long group) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const int value = static_cast<int>(q[i / 8] >> (4 * (i % 8)) & 15u) - 8;
  y[i] = y_t(static_cast<float>(value) * float(s[i >> (31 - __clz((int)group))]));
}
