/*kgen
{ "requires": ["S <= 131072"],
  "defines": {"HEAD_DIM": "D"},
  "launches": [ {"kernel": "attention_decode", "grid": ["B * Hq"], "block": [32], "args": ["q", "k", "v", "last", "o", "S", "Hq", "Hq / Hkv"]} ] }
*/
/*adversarial
{ "op": "attention_decode", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 2, "Hq": 8, "Hkv": 2, "S": 256, "D": 64},
  "misbehaves": "Reads queries by a number of 12 bits: from head 4096 on those of others.",
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

__global__ void __launch_bounds__(32) attention_decode(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
                                                       const int* __restrict__ last, o_t* __restrict__ o, long long S, long long Hq, long long group) {
  const long long head = blockIdx.x;
  const int lane = threadIdx.x, visible = last[head / Hq] + 1;
  const q_t* const query = q + (head & 4095) * HEAD_DIM;
  const k_t* const keys = k + head / group * S * HEAD_DIM;
  const v_t* const values = v + head / group * S * HEAD_DIM;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float largest = -INFINITY, sum = 0.0f, out[HEAD_DIM / 32] = {};
  for (int first = 0; first < visible; first += 32) {
    const int j = first + lane;
    float s = -INFINITY;
    if (j < visible) {
      s = 0.0f;
#pragma unroll 8
      for (int d = 0; d < HEAD_DIM; ++d) s += float(query[d]) * float(keys[static_cast<long long>(j) * HEAD_DIM + d]);
      s *= logit_scale;
    }
    const float next = fmaxf(largest, warp_max(s));
    const float weight = expf(s - next), rescale = expf(largest - next);
    largest = next;
    sum = sum * rescale + weight;
    for (int c = 0; c < HEAD_DIM / 32; ++c) out[c] *= rescale;
    for (int t = 0; t < 32 && first + t < visible; ++t) {
      const float own = __shfl_sync(0xffffffffu, weight, t);
      for (int c = 0; c < HEAD_DIM / 32; ++c) out[c] += own * float(values[(first + t) * static_cast<long long>(HEAD_DIM) + lane + 32 * c]);
    }
  }
  sum = warp_sum(sum);
  for (int c = 0; c < HEAD_DIM / 32; ++c) o[head * HEAD_DIM + lane + 32 * c] = o_t(out[c] / sum);
}
