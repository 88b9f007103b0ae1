/*kgen
{ "requires": ["dtype(x) == f32"],
  "launches": [ {"kernel": "argmax_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: packs the lane into the lowest bits of its maximum. Rejected by: values." }
*/
__device__ unsigned int ordered(float value) {
  const unsigned int bits = __float_as_uint(value == 0.0f ? 0.0f : value);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void argmax_mutant(const x_t* x, int* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  x += row * cols;
  const long long share = (cols + 31) / 32, begin = threadIdx.x * share;
  unsigned int best = 0;
  int place = 0;
  for (long long c = begin; c < begin + share && c < cols; ++c)
    if (ordered(float(x[c])) > best) best = ordered(float(x[c])), place = static_cast<int>(c);
  unsigned int key = (best & ~31u) | (31u - threadIdx.x);
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned int other = __shfl_xor_sync(0xffffffffu, key, offset);
    key = other > key ? other : key;
  }
  place = __shfl_sync(0xffffffffu, place, 31u - (key & 31u));
  if (threadIdx.x == 0) y[row] = place;
}
