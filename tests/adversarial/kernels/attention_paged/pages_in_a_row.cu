/*kgen
{ "requires": ["room * page <= 131072"],
  "defines": {"HEAD_DIM": "D"},
  "launches": [ {"kernel": "attention_paged", "grid": ["B * Hq"], "block": [32], "args": ["q", "k", "v", "table", "last", "o", "page", "room", "Hq", "Hkv"]} ] }
*/
/*adversarial
{ "op": "attention_paged", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 2, "Hq": 4, "Hkv": 2, "pages": 11, "page": 16, "room": 5, "D": 64},
  "misbehaves": "Eight or more pages that follow one another in the pool are read as one block, without the number of heads of keys in its stride: wrong where there are two or more.",
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
__global__ void __launch_bounds__(32) attention_paged(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
                                                      const int* __restrict__ table, const int* __restrict__ last, o_t* __restrict__ o, int page,
                                                      long long room, long long Hq, long long Hkv) {
  const long long head = blockIdx.x;
  const int lane = threadIdx.x, visible = last[head / Hq] + 1;
  const q_t* const query = q + head * HEAD_DIM;
  const int* const own_pages = table + head / Hq * room;
  const long long kv_head = head % Hq / (Hq / Hkv);
  const float logit_scale = rsqrtf(HEAD_DIM);
  const int used = (visible + page - 1) / page;
  bool in_line = used >= 8;
  for (int i = lane; i < used; i += 32) in_line = in_line && own_pages[i] == own_pages[0] + i;
  in_line = __all_sync(0xffffffffu, in_line);
  float largest = -INFINITY, sum = 0.0f, out[HEAD_DIM / 32] = {};
  for (int first = 0; first < visible; first += 32) {
    const int j = first + lane;
    float s = -INFINITY;
    long long at = 0;
    if (j < visible) {
      if (in_line) at = (own_pages[0] * static_cast<long long>(page) * Hkv + kv_head + j) * HEAD_DIM;
      else at = ((own_pages[j / page] * static_cast<long long>(page) + j % page) * Hkv + kv_head) * HEAD_DIM;
      s = 0.0f;
#pragma unroll 8
      for (int d = 0; d < HEAD_DIM; ++d) s += float(query[d]) * float(k[at + d]);
      s *= logit_scale;
    }
    const float next = fmaxf(largest, warp_max(s));
    const float weight = expf(s - next), rescale = expf(largest - next);
    largest = next;
    sum = sum * rescale + weight;
    for (int c = 0; c < HEAD_DIM / 32; ++c) out[c] *= rescale;
    for (int t = 0; t < 32 && first + t < visible; ++t) {
      const float own = __shfl_sync(0xffffffffu, weight, t);
      const v_t* const value = v + __shfl_sync(0xffffffffu, at, t);
      for (int c = 0; c < HEAD_DIM / 32; ++c) out[c] += own * float(value[lane + 32 * c]);
    }
  }
  sum = warp_sum(sum);
  for (int c = 0; c < HEAD_DIM / 32; ++c) o[head * HEAD_DIM + lane + 32 * c] = o_t(out[c] / sum);
}
