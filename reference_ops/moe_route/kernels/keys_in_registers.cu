/*kgen
{ "requires": ["experts <= 128", "k <= 32"],
  "launches": [ {"kernel": "moe_route", "grid": ["ceil_div(tokens, 4)"], "block": [32, 4],
                 "args": ["logits", "weights", "chosen", "tokens", "experts", "k", "renormalise"]} ],
  "notes": "One warp a token, four keys a lane; softmax over all experts first, lane i keeps the i-th, which are divided by their sum." }
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
  unsigned long long keys[4];
  float values[4], largest = -INFINITY, sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int e = threadIdx.x + 32 * j;
    values[j] = e < experts ? float(logits[t * experts + e]) : -INFINITY;
    keys[j] = e < experts ? key_of(values[j], e) : 0;
    largest = fmaxf(largest, values[j]);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
#pragma unroll
  for (int j = 0; j < 4; ++j) sum += __expf(values[j] - largest);
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  int own_expert = 0;
  float own_weight = 0.0f;
  for (int i = 0; i < k; ++i) {
    unsigned long long best = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) best = keys[j] > best ? keys[j] : best;
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, offset);
      best = other > best ? other : best;
    }
    float weight = 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (keys[j] != best) continue;
      weight = __expf(values[j] - largest) / sum;
      keys[j] = 0;
    }
    const int expert = static_cast<int>(~static_cast<unsigned int>(best));
    weight = __shfl_sync(0xffffffffu, weight, expert % 32);
    if (threadIdx.x == i) own_expert = expert, own_weight = weight;
  }
  float total = own_weight;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) total += __shfl_xor_sync(0xffffffffu, total, offset);
  if (threadIdx.x >= k) return;
  weights[t * k + threadIdx.x] = renormalise ? own_weight / total : own_weight;
  chosen[t * k + threadIdx.x] = own_expert;
}
