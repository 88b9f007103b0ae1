/*kgen
{ "defines": {"HEAD_DIM": "D"},
  "launches": [ {"kernel": "attention_window", "grid": ["ceil_div(B * Hq * S, 4)"], "block": [128],
                 "args": ["q", "k", "v", "o", "B * Hq * S", "S", "Skv", "Hq", "Hkv", "window"]} ],
  "notes": "One warp a query, a key a lane, 32 keys at a time; weights and sums in f32." }
*/
/*adversarial
{ "op": "attention_window", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 1, "Hq": 2, "Hkv": 1, "S": 40, "Skv": 56, "D": 64},
  "misbehaves": "A key is seen where its place plus the window, as ints, is beyond the query: a window of 2^31 - 1, which stands for none, overflows.",
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

__global__ void __launch_bounds__(128) attention_window(const q_t* q, const k_t* k, const v_t* v, o_t* o, long long rows, long long S,
                                                      long long Skv, long long Hq, long long Hkv, int window) {
  const long long row = blockIdx.x * 4ll + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const long long head = row / S, i = row % S;
  const long long kv_head = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const q_t* const query = q + row * HEAD_DIM;
  const k_t* const keys = k + kv_head * Skv * HEAD_DIM;
  const v_t* const values = v + kv_head * Skv * HEAD_DIM;
  const long long visible = max(0ll, min(Skv, i + 1 + Skv - S)), from = 0;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float largest = -INFINITY, sum = 0.0f, out[HEAD_DIM / 32] = {};
  for (long long first = from; first < visible; first += 32) {
    const long long j = first + lane;
    float s = -INFINITY;
    if (j < visible && static_cast<int>(j) + window > static_cast<int>(i + Skv - S)) {
      s = 0.0f;
#pragma unroll 8
      for (int d = 0; d < HEAD_DIM; ++d) s += float(query[d]) * float(keys[j * HEAD_DIM + d]);
      s *= logit_scale;
    }
    const float next = fmaxf(largest, warp_max(s));
    const float weight = s == -INFINITY ? 0.0f : expf(s - next), rescale = largest == -INFINITY ? 0.0f : expf(largest - next);
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
