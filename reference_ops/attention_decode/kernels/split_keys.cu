/*kgen
{ "requires": ["S <= 2097152"],
  "defines": {"HEAD_DIM": "D"},
  "let": {"splits": "max(1, min(16, S / 32))"},
  "workspace": {"parts": {"bytes": "B * Hq * splits * (D + 2) * 4"}},
  "launches": [ {"kernel": "attend_part", "grid": ["B * Hq * splits"], "block": [32],
                 "args": ["q", "k", "v", "last", "parts", "S", "Hq", "Hq / Hkv", "splits"]},
                {"kernel": "add_parts", "grid": ["B * Hq"], "block": ["D"], "args": ["parts", "o", "splits"]} ],
  "notes": "Up to sixteen parts of the keys, a warp each (a dim a lane, a key at a time); a second launch rescales and adds them up." }
*/
constexpr int kDims = HEAD_DIM / 32, kPitch = HEAD_DIM + 2;

__global__ void __launch_bounds__(32) attend_part(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
                                                  const int* __restrict__ last, float* __restrict__ parts, long long S, long long Hq,
                                                  long long group, int splits) {
  const long long head = blockIdx.x / splits;
  const int part = blockIdx.x % splits, lane = threadIdx.x;
  const long long visible = last[head / Hq] + 1ll, first = visible * part / splits, end = visible * (part + 1) / splits;
  const k_t* const keys = k + head / group * S * HEAD_DIM;
  const v_t* const values = v + head / group * S * HEAD_DIM;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float query[kDims], out[kDims] = {}, largest = -INFINITY, sum = 0.0f;
#pragma unroll
  for (int c = 0; c < kDims; ++c) query[c] = float(q[head * HEAD_DIM + lane + 32 * c]) * logit_scale;
  for (long long j = first; j < end; ++j) {
    float s = 0.0f;
#pragma unroll
    for (int c = 0; c < kDims; ++c) s = fmaf(query[c], float(keys[j * HEAD_DIM + lane + 32 * c]), s);
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) s += __shfl_xor_sync(0xffffffffu, s, offset);
    const float next = fmaxf(largest, s), weight = __expf(s - next), rescale = __expf(largest - next);
    largest = next;
    sum = fmaf(sum, rescale, weight);
#pragma unroll
    for (int c = 0; c < kDims; ++c) out[c] = fmaf(out[c], rescale, weight * float(values[j * HEAD_DIM + lane + 32 * c]));
  }
  float* const to = parts + blockIdx.x * static_cast<long long>(kPitch);
#pragma unroll
  for (int c = 0; c < kDims; ++c) to[lane + 32 * c] = out[c];
  if (lane == 0) to[HEAD_DIM] = largest, to[HEAD_DIM + 1] = sum;
}

__global__ void __launch_bounds__(HEAD_DIM) add_parts(const float* __restrict__ parts, o_t* __restrict__ o, int splits) {
  const float* const own = parts + blockIdx.x * static_cast<long long>(splits) * kPitch;
  float largest = -INFINITY, sum = 0.0f, out = 0.0f;
  for (int part = 0; part < splits; ++part) largest = fmaxf(largest, own[part * kPitch + HEAD_DIM]);
  for (int part = 0; part < splits; ++part) {
    const float rescale = __expf(own[part * kPitch + HEAD_DIM] - largest);  // 0 for a part without keys
    sum = fmaf(own[part * kPitch + HEAD_DIM + 1], rescale, sum);
    out = fmaf(own[part * kPitch + threadIdx.x], rescale, out);
  }
  o[blockIdx.x * static_cast<long long>(HEAD_DIM) + threadIdx.x] = o_t(out / sum);
}
