/*kgen
{ "requires": ["k <= 16"],
  "launches": [ {"kernel": "top_k_mutant", "grid": ["rows"], "block": [128], "args": ["x", "values", "places", "cols", "k"]} ],
  "notes": "Mutant: each of 128 threads keeps the best four of its columns, of which more may be wanted. Rejected by: values." }
*/
__device__ unsigned long long key_of(float value, unsigned int place) {
  const unsigned int bits = __float_as_uint(value == 0.0f ? 0.0f : value);
  const unsigned int ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~place;
}

__global__ void __launch_bounds__(128) top_k_mutant(const x_t* x, values_t* values, int* places, long long cols, long long k) {
  __shared__ unsigned long long best_of[4];
  x += blockIdx.x * cols, values += blockIdx.x * k, places += blockIdx.x * k;
  unsigned long long kept[4] = {};
  for (long long at = threadIdx.x; at < cols; at += 128) {
    unsigned long long own = key_of(float(x[at]), static_cast<unsigned int>(at));
    for (int i = 0; i < 4; ++i)
      if (own > kept[i]) {
        const unsigned long long smaller = kept[i];
        kept[i] = own, own = smaller;
      }
  }
  for (long long i = 0; i < k; ++i) {
    unsigned long long best = kept[0];
    for (int offset = 16; offset > 0; offset /= 2) {
      const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, offset);
      best = other > best ? other : best;
    }
    if (threadIdx.x % 32 == 0) best_of[threadIdx.x / 32] = best;
    __syncthreads();
    for (int w = 0; w < 4; ++w) best = best_of[w] > best ? best_of[w] : best;
    __syncthreads();
    if (kept[0] == best) kept[0] = kept[1], kept[1] = kept[2], kept[2] = kept[3], kept[3] = 0;
    const unsigned int place = ~static_cast<unsigned int>(best);
    if (threadIdx.x == 0) values[i] = x[place % cols], places[i] = static_cast<int>(place);
  }
}
