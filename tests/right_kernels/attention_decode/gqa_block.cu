/*kgen
{ "defines": {"DH": "D"},
  "launches": [ {"kernel": "decode", "grid": ["B * Hq"], "block": [256], "args": ["q", "k", "v", "last", "o", "S", "Hq", "Hkv"]} ],
  "notes": "A block a query head: D / 8 lanes a key with 16-byte loads, groups of lanes over the keys, online softmax each, joined in shared memory." }
*/
struct alignas(16) V8 {
  k_t e[8];
};
__global__ void __launch_bounds__(256)
    decode(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
           const int* __restrict__ last, o_t* __restrict__ o, int64_t S, int64_t Hq, int64_t Hkv) {
  constexpr int LANES = DH / 8, GROUPS = 256 / LANES;
  __shared__ float sm[GROUPS], sl[GROUPS], so[GROUPS][DH];
  const int64_t bh = blockIdx.x, b = bh / Hq, h = bh % Hq, kvh = b * Hkv + h / (Hq / Hkv);
  const int sub = threadIdx.x % LANES, grp = threadIdx.x / LANES;
  const int64_t n = (int64_t)last[b] + 1;
  const float scale = rsqrtf((float)DH);
  float qf[8], acc[8], m = -INFINITY, l = 0.f;
  const V8 qv = reinterpret_cast<const V8*>(q)[bh * LANES + sub];
#pragma unroll
  for (int i = 0; i < 8; ++i) qf[i] = float(qv.e[i]) * scale, acc[i] = 0.f;
  for (int64_t j0 = 0; j0 < n; j0 += GROUPS) {
    const int64_t j = j0 + grp;
    const bool in = j < n;
    float s = 0.f;
    V8 vv;
    if (in) {
      const V8 kv = reinterpret_cast<const V8*>(k)[(kvh * S + j) * LANES + sub];
      vv = reinterpret_cast<const V8*>(v)[(kvh * S + j) * LANES + sub];
#pragma unroll
      for (int i = 0; i < 8; ++i) s = fmaf(qf[i], float(kv.e[i]), s);
    }
#pragma unroll
    for (int w = LANES / 2; w > 0; w >>= 1) s += __shfl_xor_sync(0xffffffffu, s, w);
    if (in) {
      const float mn = fmaxf(m, s), f = __expf(m - mn), p = __expf(s - mn);
      m = mn;
      l = l * f + p;
#pragma unroll
      for (int i = 0; i < 8; ++i) acc[i] = acc[i] * f + p * float(vv.e[i]);
    }
  }
  if (sub == 0) sm[grp] = m, sl[grp] = l;
#pragma unroll
  for (int i = 0; i < 8; ++i) so[grp][sub * 8 + i] = acc[i];
  __syncthreads();
  for (int d = threadIdx.x; d < DH; d += 256) {
    float M = -INFINITY, L = 0.f, O = 0.f;
    for (int g = 0; g < GROUPS; ++g) M = fmaxf(M, sm[g]);
    for (int g = 0; g < GROUPS; ++g) {
      const float f = __expf(sm[g] - M);
      L += sl[g] * f;
      O += so[g][d] * f;
    }
    o[bh * DH + d] = o_t(O / L);
  }
}
