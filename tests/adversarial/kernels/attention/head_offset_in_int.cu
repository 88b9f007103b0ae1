/*kgen
{ "requires": ["Skv <= 1048576", "S <= 1048576"],
  "defines": {"HEAD_DIM": "D"},
  "launches": [ {"kernel": "attention", "grid": ["B * Hq * S"], "block": [32], "args": ["q", "k", "v", "o", "S", "Skv", "Hq", "Hkv", "causal"]} ] }
*/
/*adversarial
{ "op": "attention", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 4, "Hq": 32, "Hkv": 1, "S": 48, "Skv": 80, "D": 128},
  "misbehaves": "Offsets of the batch have 64 bits, those of a head inside of it 32: batches of more than 2^31 elements are wrong, however many smaller ones are right.",
  "accept": ["wrong_result", "fault", "out_of_bounds", "input_modified"], "neutralised_ok": false, "needs": "large_entry",
  "emulator": {"not_visible": "It needs a tensor of more than 2^31 elements, and the emulator holds 512 MiB."} }
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
                                                int S, int Skv, int Hq, int Hkv, bool causal) {
  const int i = blockIdx.x % S, h = blockIdx.x / S % Hq, g = h / (Hq / Hkv);
  const long long b = blockIdx.x / S / Hq;
  const int lane = threadIdx.x;
  const q_t* const query = q + b * Hq * S * HEAD_DIM + (h * S + i) * HEAD_DIM;
  const k_t* const keys = k + b * Hkv * Skv * HEAD_DIM + g * Skv * HEAD_DIM;
  const v_t* const values = v + b * Hkv * Skv * HEAD_DIM + g * Skv * HEAD_DIM;
  const long long visible = causal ? max(0ll, min(static_cast<long long>(Skv), static_cast<long long>(i) + Skv - S + 1)) : Skv;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float largest = -INFINITY, sum = 0.0f, out[HEAD_DIM / 32] = {};
  for (long long first = 0; first < visible; first += 32) {
    const long long j = first + lane;
    float s = -INFINITY;
    if (j < visible) {
      s = 0.0f;
#pragma unroll 8
      for (int d = 0; d < HEAD_DIM; ++d) {
        const float key = float(keys[j * HEAD_DIM + d]);
        s += float(query[d]) * key;
      }
      s *= logit_scale;
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
  for (int c = 0; c < HEAD_DIM / 32; ++c) o[b * Hq * S * HEAD_DIM + (h * S + i) * HEAD_DIM + lane + 32 * c] = o_t(sum > 0.0f ? out[c] / sum : 0.0f);
}
