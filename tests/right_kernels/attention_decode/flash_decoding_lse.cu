/*kgen
{ "defines": {"DH": "D"}, "let": {"splits": "max(1, min(8, S / 16))"},
  "workspace": {"po": {"bytes": "B * Hq * splits * D * 4"}, "lse": {"bytes": "B * Hq * splits * 4"}},
  "launches": [ {"kernel": "fd_split", "grid": ["splits", "B * Hq"], "block": [64], "args": ["q", "k", "v", "last", "po", "lse", "S", "Hq", "Hkv"]},
                {"kernel": "fd_combine", "grid": ["B * Hq"], "block": ["D"], "args": ["po", "lse", "o", "splits"]} ],
  "notes": "Flash decoding: normalised partial outputs and their log-sum-exp, combined by a second launch." }
*/
__global__ void __launch_bounds__(64)
    fd_split(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
             const int* __restrict__ last, float* __restrict__ po, float* __restrict__ lse, int64_t S,
             int64_t Hq, int64_t Hkv) {
  constexpr int T = 64, E = DH / 64;
  __shared__ float qs[DH], ps[T], red[2];
  const int64_t bh = blockIdx.y, b = bh / Hq, kvh = b * Hkv + bh % Hq / (Hq / Hkv);
  const int64_t n = (int64_t)last[b] + 1, per = (n + gridDim.x - 1) / gridDim.x,
                j0 = min(n, per * blockIdx.x), j1 = min(n, j0 + per);
  const int tid = threadIdx.x;
  for (int d = tid; d < DH; d += 64) qs[d] = float(q[bh * DH + d]);
  const float scale = rsqrtf((float)DH);
  float m = -INFINITY, l = 0.f, acc[E] = {};
  __syncthreads();
  for (int64_t t0 = j0; t0 < j1; t0 += T) {
    float s = -INFINITY;
    if (t0 + tid < j1) {
      const k_t* kp = k + (kvh * S + t0 + tid) * DH;
      s = 0.f;
      for (int d = 0; d < DH; ++d) s = fmaf(qs[d], float(kp[d]), s);
      s *= scale;
    }
    float mx = s;
    for (int o = 16; o; o >>= 1) mx = fmaxf(mx, __shfl_xor_sync(0xffffffffu, mx, o));
    if (tid % 32 == 0) red[tid / 32] = mx;
    __syncthreads();
    mx = fmaxf(m, fmaxf(red[0], red[1]));
    ps[tid] = __expf(s - mx);
    const float alpha = __expf(m - mx);
    m = mx;
    l *= alpha;
    for (int e = 0; e < E; ++e) acc[e] *= alpha;
    __syncthreads();
    const int cnt = (int)min((int64_t)T, j1 - t0);
    for (int j = 0; j < cnt; ++j) {
      l += ps[j];
      for (int e = 0; e < E; ++e) acc[e] += ps[j] * float(v[(kvh * S + t0 + j) * DH + tid + 64 * e]);
    }
    __syncthreads();
  }
  const int64_t at = bh * gridDim.x + blockIdx.x;
  for (int e = 0; e < E; ++e) po[at * DH + tid + 64 * e] = l > 0.f ? acc[e] / l : 0.f;
  if (tid == 0) lse[at] = l > 0.f ? m + logf(l) : -INFINITY;
}
__global__ void fd_combine(const float* __restrict__ po, const float* __restrict__ lse, o_t* __restrict__ o,
                           int splits) {
  const int64_t bh = blockIdx.x;
  float mx = -INFINITY;
  for (int i = 0; i < splits; ++i) mx = fmaxf(mx, lse[bh * splits + i]);
  float w = 0.f, a = 0.f;
  for (int i = 0; i < splits; ++i) {
    const float e = __expf(lse[bh * splits + i] - mx);
    w += e;
    a += e * po[(bh * splits + i) * DH + threadIdx.x];
  }
  o[bh * DH + threadIdx.x] = o_t(a / w);
}
