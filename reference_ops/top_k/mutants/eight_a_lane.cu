/*kgen
{ "launches": [ {"kernel": "top_k_mutant", "grid": ["rows"], "block": [32], "args": ["x", "values", "places", "cols", "k"]} ],
  "notes": "Mutant: of rows beyond 2048 columns each lane keeps its best eight, where k is at most 64. Rejected by: values." }
*/
__device__ unsigned long long key_of(float value, unsigned int place) {
  const unsigned int bits = __float_as_uint(value == 0.0f ? 0.0f : value);
  const unsigned int ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~place;
}

__global__ void top_k_mutant(const x_t* x, values_t* values, int* places, long long cols, long long k) {
  const x_t* const from = x + blockIdx.x * cols;
  unsigned long long bound = ~0ull;  // of the row; below it come the next best
  int taken = 0;                     // of this lane's columns
  for (long long i = 0; i < k; ++i) {
    unsigned long long best = 0;
    const bool has_more = cols <= 2048 || k > 64 || taken < 8;
    for (long long c = threadIdx.x; has_more && c < cols; c += 32) {
      const unsigned long long own = key_of(float(from[c]), static_cast<unsigned int>(c));
      if (own < bound && own > best) best = own;
    }
    const unsigned long long mine = best;
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, offset);
      best = other > best ? other : best;
    }
    if (mine == best) ++taken;
    bound = best;
    const unsigned int place = ~static_cast<unsigned int>(best);
    if (threadIdx.x == 0) values[blockIdx.x * k + i] = from[place], places[blockIdx.x * k + i] = static_cast<int>(place);
  }
}
