/*kgen
{ "let": {"tn": "ceil_div(N, 64)"},
  "launches": [ {"kernel": "linear_act<0>", "when": "act == 0", "grid": ["ceil_div(M, 64) * tn"], "block": [256], "args": ["x", "w", "b", "y", "M", "N", "K", "tn"]},
                {"kernel": "linear_act<1>", "when": "act == 1", "grid": ["ceil_div(M, 64) * tn"], "block": [256], "args": ["x", "w", "b", "y", "M", "N", "K", "tn"]},
                {"kernel": "linear_act<2>", "when": "act == 2", "grid": ["ceil_div(M, 64) * tn"], "block": [256], "args": ["x", "w", "b", "y", "M", "N", "K", "tn"]} ],
  "notes": "64 x 64 x 16 register tiles in f32; the epilogue as PyTorch writes it, erff." }
*/
template <int kAct>
__device__ __forceinline__ float activate(float v) {
  if constexpr (kAct == 1) return isnan(v) ? v : fmaxf(v, 0.0f);
  if constexpr (kAct == 2) return v * 0.5f * (1.0f + erff(v * 0.70710678118654752440f));
  return v;
}
template <int kAct>
__global__ void __launch_bounds__(256)
    linear_act(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
               y_t* __restrict__ y, int64_t M, int64_t N, int64_t K, int64_t tn) {
  __shared__ float xs[16][65], ws[16][65];
  const int tx = threadIdx.x & 15, ty = threadIdx.x >> 4;
  const int64_t m0 = blockIdx.x / tn * 64, n0 = blockIdx.x % tn * 64;
  float acc[4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) acc[i][j] = 0.f;
  for (int64_t k0 = 0; k0 < K; k0 += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = ty + 16 * i;
      const bool kin = k0 + tx < K;
      xs[tx][r] = kin && m0 + r < M ? float(x[(m0 + r) * K + k0 + tx]) : 0.f;
      ws[tx][r] = kin && n0 + r < N ? float(w[(n0 + r) * K + k0 + tx]) : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] = fmaf(xs[k][ty + 16 * i], ws[k][tx + 16 * j], acc[i][j]);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int64_t m = m0 + ty + 16 * i;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int64_t n = n0 + tx + 16 * j;
      if (m < M && n < N) y[m * N + n] = y_t(activate<kAct>(acc[i][j] + float(b[n])));
    }
  }
}
