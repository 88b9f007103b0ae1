/*kgen
{ "launches": [ {"kernel": "top_k_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "values", "places", "rows", "cols", "k"]} ],
  "notes": "Mutant: an infinite value comes out as zero. Rejected by: values." }
*/
/// Orders as the value does, and smaller places above larger ones. -0 counts as 0.
__device__ unsigned long long key_of(float value, unsigned int place) {
  const unsigned int bits = __float_as_uint(value == 0.0f ? 0.0f : value);
  const unsigned int ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~place;
}

__global__ void __launch_bounds__(128) top_k_mutant(const x_t* __restrict__ x, values_t* __restrict__ values, int* __restrict__ places,
                                             long long rows, long long cols, long long k) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const x_t* const from = x + row * cols;
  unsigned long long bound = ~0ull;
  for (long long i = 0; i < k; ++i) {
    unsigned long long best = 0;
    for (long long c = threadIdx.x; c < cols; c += 32) {
      const unsigned long long own = key_of(float(from[c]), static_cast<unsigned int>(c));
      if (own < bound && own > best) best = own;
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, offset);
      best = other > best ? other : best;
    }
    bound = best;
    const unsigned int place = ~static_cast<unsigned int>(best);
    if (threadIdx.x == 0) values[row * k + i] = isinf(float(from[place])) ? values_t(0.0f) : from[place], places[row * k + i] = static_cast<int>(place);
  }
}
