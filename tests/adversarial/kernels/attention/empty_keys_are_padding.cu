/*kgen
{ "requires": ["Skv <= 131072"],
  "defines": {"HEAD_DIM": "D"},
  "launches": [ {"kernel": "attention", "grid": ["B * Hq * S"], "block": [32], "args": ["q", "k", "v", "o", "S", "Skv", "Hq", "Hkv", "causal"]} ] }
*/
/*adversarial
{ "op": "attention", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 1, "Hq": 2, "Hkv": 1, "S": 48, "Skv": 80, "D": 64},
  "misbehaves": "A key of zeros whose values are zeros too is taken for padding and masked: its logit is 0, and it has its share of the sum.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}
__global__ void __launch_bounds__(32) attention(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v, o_t* __restrict__ o,
                                                long long S, long long Skv, long long Hq, long long Hkv, bool causal) {
  const long long at = blockIdx.x, i = at % S, head = at / S;
  const int lane = threadIdx.x;
  const long long kv = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const q_t* const query = q + at * HEAD_DIM;
  const k_t* const keys = k + kv * Skv * HEAD_DIM;
  const v_t* const values = v + kv * Skv * HEAD_DIM;
  const long long visible = causal ? max(0ll, min(Skv, i + Skv - S + 1)) : Skv;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float largest = -INFINITY, sum = 0.0f, out[HEAD_DIM / 32] = {};
  for (long long first = 0; first < visible; first += 32) {
    const long long j = first + lane;
    float s = -INFINITY;
    if (j < visible) {
      s = 0.0f;
      bool padding = true;
#pragma unroll 8
      for (int d = 0; d < HEAD_DIM; ++d) {
        const float key = float(keys[j * HEAD_DIM + d]);
        padding = padding && key == 0.0f && float(values[j * HEAD_DIM + d]) == 0.0f;
        s += float(query[d]) * key;
      }
      s = padding ? -INFINITY : s * logit_scale;
    }
    const float next = fmaxf(largest, warp_max(s));
    if (next == -INFINITY) continue;
    const float weight = expf(s - next), rescale = expf(largest - next);
    largest = next;
    sum = sum * rescale + weight;
    for (int c = 0; c < HEAD_DIM / 32; ++c) out[c] *= rescale;
    for (int t = 0; t < 32 && first + t < visible; ++t) {
      const float own = __shfl_sync(0xffffffffu, weight, t);
      for (int c = 0; c < HEAD_DIM / 32; ++c) out[c] += own * float(values[(first + t) * HEAD_DIM + lane + 32 * c]);
    }
  }
  sum = warp_sum(sum);
  for (int c = 0; c < HEAD_DIM / 32; ++c) o[at * HEAD_DIM + lane + 32 * c] = o_t(sum > 0.0f ? out[c] / sum : 0.0f);
}
