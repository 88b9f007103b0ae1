/*kgen
{ "requires": ["Skv <= 131072"],
  "defines": {"HEAD_DIM": "D"},
  "launches": [ {"kernel": "attention_warp_a_query", "grid": ["ceil_div(B * Hq * S, 4)"], "block": [128],
                 "args": ["q", "k", "v", "o", "B * Hq * S", "S", "Skv", "Hq", "Hkv", "causal"]} ],
  "notes": "One warp a query, a key a lane, 32 keys at a time; weights and sums in f32." }
*/
__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) attention_warp_a_query(const q_t* q, const k_t* k, const v_t* v, o_t* o, long long rows, long long S,
                                                      long long Skv, long long Hq, long long Hkv, bool causal) {
  const long long row = blockIdx.x * 4ll + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const long long head = row / S, i = row % S;
  const long long kv_head = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const q_t* const query = q + row * HEAD_DIM;
  const k_t* const keys = k + kv_head * Skv * HEAD_DIM;
  const v_t* const values = v + kv_head * Skv * HEAD_DIM;
  const long long visible = causal ? max(0ll, min(Skv, i + 1 + Skv - S)) : Skv;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float largest = -INFINITY, sum = 0.0f, out[HEAD_DIM / 32] = {};
  for (long long first = 0; first < visible; first += 32) {
    const long long j = first + lane;
    float s = -INFINITY;
    if (j < visible) {
      s = 0.0f;
#pragma unroll 8
      for (int d = 0; d < HEAD_DIM; ++d) s += float(query[d]) * float(keys[j * HEAD_DIM + d]);
      s *= logit_scale;
    }
    const float next = fmaxf(largest, warp_max(s));
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
  for (int c = 0; c < HEAD_DIM / 32; ++c) o[row * HEAD_DIM + lane + 32 * c] = o_t(visible > 0 ? out[c] / sum : 0.0f);
}
