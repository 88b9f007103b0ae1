/*kgen
{ "defines": {"DH": "D"},
  "let": {"qt": "ceil_div(S, 32)"},
  "launches": [ {"kernel": "flash_fwd", "grid": ["qt * B * Hq"], "block": [128], "dynamic_shared_bytes": "(32 * (D + 1) * 2 + 32 * D + 32 * 33) * 4",
                 "args": ["q", "k", "v", "o", "qt", "S", "Skv", "Hq", "Hkv", "causal"]} ],
  "notes": "FlashAttention-2 with its max_scaled FFMA, in plain f32: 32 queries by 32 keys, exp2 with log2(e) / sqrt(D) folded into an FMA, four threads a query." }
*/
__global__ void __launch_bounds__(128)
    flash_fwd(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
              o_t* __restrict__ o, int64_t qt, int64_t S, int64_t Skv, int64_t Hq, int64_t Hkv, bool causal) {
  constexpr int BR = 32, BC = 32, LD = DH + 1, PD = DH / 4;
  extern __shared__ float sm[];
  float *Q = sm, *Kt = Q + BR * LD, *V = Kt + BC * LD, *Ps = V + BC * DH;
  const int64_t head = blockIdx.x / qt, i0 = blockIdx.x % qt * BR;
  const int64_t kvh = head / Hq * Hkv + (head % Hq) / (Hq / Hkv);
  const int row = threadIdx.x / 4, part = threadIdx.x % 4;
  const int64_t i = i0 + row;
  for (int e = threadIdx.x; e < BR * DH; e += 128) {
    const int r = e / DH, d = e % DH;
    Q[r * LD + d] = i0 + r < S ? float(q[(head * S + i0 + r) * DH + d]) : 0.f;
  }
  const float c = 1.4426950408889634f * rsqrtf((float)DH);
  float m = -INFINITY, l = 0.f, acc[PD];
#pragma unroll
  for (int d = 0; d < PD; ++d) acc[d] = 0.f;
  const int64_t limit = causal ? i + Skv - S + 1 : Skv;  // keys below it are seen
  const int64_t last_row = min(i0 + BR, S) - 1;
  const int64_t stop = causal ? min(Skv, max((int64_t)0, last_row + Skv - S + 1)) : Skv;
  for (int64_t j0 = 0; j0 < stop; j0 += BC) {
    __syncthreads();
    for (int e = threadIdx.x; e < BC * DH; e += 128) {
      const int r = e / DH, d = e % DH;
      const bool in = j0 + r < Skv;
      Kt[r * LD + d] = in ? float(k[(kvh * Skv + j0 + r) * DH + d]) : 0.f;
      V[r * DH + d] = in ? float(v[(kvh * Skv + j0 + r) * DH + d]) : 0.f;
    }
    __syncthreads();
    float s[8], mx = m;
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      const int j = part + 4 * t;
      float dot = 0.f;
      for (int d = 0; d < DH; ++d) dot = fmaf(Q[row * LD + d], Kt[j * LD + d], dot);
      s[t] = (j0 + j < min(limit, Skv)) ? dot : -INFINITY;
      mx = fmaxf(mx, s[t]);
    }
    mx = fmaxf(mx, __shfl_xor_sync(0xffffffffu, mx, 1));
    mx = fmaxf(mx, __shfl_xor_sync(0xffffffffu, mx, 2));
    const float ms = mx == -INFINITY ? 0.f : mx;
    const float msc = ms * c;
    const float alpha = exp2f(m * c - msc);
    float sum = 0.f;
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      const float p = exp2f(fmaf(s[t], c, -msc));
      Ps[row * 33 + part + 4 * t] = p;
      sum += p;
    }
    l = l * alpha + sum;
    m = mx;
    __syncwarp();
#pragma unroll
    for (int d = 0; d < PD; ++d) acc[d] *= alpha;
    for (int j = 0; j < BC; ++j) {
      const float p = Ps[row * 33 + j];
#pragma unroll
      for (int d = 0; d < PD; ++d) acc[d] = fmaf(p, V[j * DH + part + 4 * d], acc[d]);
    }
    __syncwarp();
  }
  l += __shfl_xor_sync(0xffffffffu, l, 1);
  l += __shfl_xor_sync(0xffffffffu, l, 2);
  if (i >= S) return;
  const float inv = l > 0.f ? 1.f / l : 0.f;
#pragma unroll
  for (int d = 0; d < PD; ++d) o[(head * S + i) * DH + part + 4 * d] = o_t(acc[d] * inv);
}
