/*kgen
{ "requires": ["experts <= 4194304"],
  "launches": [ {"kernel": "moe_route", "grid": ["ceil_div(tokens, 4)"], "block": [32, 4],
                 "args": ["logits", "weights", "chosen", "tokens", "experts", "k", "renormalise"]} ],
  "notes": "One warp a token: k times the best key behind the one before; the first gives the maximum." }
*/
/// Orders as the logit does, and smaller numbers above larger ones. -0 counts as 0.
__device__ unsigned long long key_of(float value, unsigned int expert) {
  const unsigned int bits = __float_as_uint(value == 0.0f ? 0.0f : value);
  const unsigned int ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~expert;
}

__global__ void __launch_bounds__(128) moe_route(const logits_t* __restrict__ logits, float* __restrict__ weights, int* __restrict__ chosen,
                                                 long long tokens, int experts, int k, bool renormalise) {
  const long long t = blockIdx.x * 4LL + threadIdx.y;
  if (t >= tokens) return;
  const logits_t* const row = logits + t * experts;
  unsigned long long bound = ~0ull;
  float largest = 0.0f, sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    unsigned long long best = 0;
    for (int e = threadIdx.x; e < experts; e += 32) {
      const unsigned long long own = key_of(float(row[e]), e);
      if (own < bound && own > best) best = own;
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, offset);
      best = other > best ? other : best;
    }
    bound = best;
    const int expert = static_cast<int>(~static_cast<unsigned int>(best));
    const float value = float(row[expert]);
    if (i == 0) largest = value;
    const float weight = expf(value - largest);
    sum += weight;
    if (threadIdx.x == 0) weights[t * k + i] = weight, chosen[t * k + i] = expert;
  }
  if (!renormalise) {
    sum = 0.0f;
    for (int e = threadIdx.x; e < experts; e += 32) sum += expf(float(row[e]) - largest);
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  }
  if (threadIdx.x == 0) {
    for (int i = 0; i < k; ++i) weights[t * k + i] /= sum;
  }
}
