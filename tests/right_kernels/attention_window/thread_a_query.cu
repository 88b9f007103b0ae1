/*kgen
{ "defines": {"DH": "D"}, "let": {"qt": "ceil_div(S, 64)"},
  "launches": [ {"kernel": "window_fwd", "grid": ["qt * B * Hq"], "block": [64], "args": ["q", "k", "v", "o", "qt", "S", "Skv", "Hq", "Hkv", "window"]} ],
  "notes": "A query a thread with q and the sums in registers; tiles of 16 keys in shared memory; online softmax with a lazy rescale." }
*/
__global__ void __launch_bounds__(64)
    window_fwd(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
               o_t* __restrict__ o, int64_t qt, int64_t S, int64_t Skv, int64_t Hq, int64_t Hkv,
               int64_t window) {
  __shared__ float Ks[16][DH], Vs[16][DH];
  const int64_t head = blockIdx.x / qt, i0 = blockIdx.x % qt * 64, i = i0 + threadIdx.x;
  const int64_t kvh = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const float scale = 1.0f / sqrtf((float)DH);
  float qr[DH], acc[DH];
#pragma unroll
  for (int d = 0; d < DH; ++d) {
    qr[d] = i < S ? float(q[(head * S + i) * DH + d]) * scale : 0.f;
    acc[d] = 0.f;
  }
  const int64_t at = i + Skv - S;
  const int64_t lo_block = max((int64_t)0, i0 + Skv - S - window + 1),
                hi_block = min(Skv - 1, min(i0 + 63, S - 1) + Skv - S);
  float m = -INFINITY, l = 0.f;
  for (int64_t j0 = lo_block; j0 <= hi_block; j0 += 16) {
    for (int e = threadIdx.x; e < 16 * DH; e += 64) {
      const int r = e / DH, d = e % DH;
      const bool in = j0 + r < Skv;
      Ks[r][d] = in ? float(k[(kvh * Skv + j0 + r) * DH + d]) : 0.f;
      Vs[r][d] = in ? float(v[(kvh * Skv + j0 + r) * DH + d]) : 0.f;
    }
    __syncthreads();
    if (i < S) {
      for (int r = 0; r < 16; ++r) {
        const int64_t j = j0 + r;
        if (j >= Skv || j > at || j <= at - window) continue;
        float s = 0.f;
#pragma unroll
        for (int d = 0; d < DH; ++d) s += qr[d] * Ks[r][d];
        if (s > m) {
          const float corr = __expf(m - s);
          m = s;
          l *= corr;
#pragma unroll
          for (int d = 0; d < DH; ++d) acc[d] *= corr;
        }
        const float p = __expf(s - m);
        l += p;
#pragma unroll
        for (int d = 0; d < DH; ++d) acc[d] += p * Vs[r][d];
      }
    }
    __syncthreads();
  }
  if (i >= S) return;
#pragma unroll
  for (int d = 0; d < DH; ++d) o[(head * S + i) * DH + d] = o_t(l == 0.f ? 0.f : __fdividef(acc[d], l));
}
