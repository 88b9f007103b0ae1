/*kgen
{ "let": {"P": "(H + 2 * pad - R) / stride + 1", "Q": "(W + 2 * pad - S) / stride + 1", "cols": "N * P * Q", "tiles": "ceil_div(cols, 64)"},
  "launches": [ {"kernel": "igemm", "grid": ["tiles * ceil_div(F, 64)"], "block": [16, 16],
                 "args": ["x", "w", "y", "cols", "tiles", "C", "H", "W", "F", "R", "S", "P", "Q", "stride", "pad"]} ],
  "notes": "Implicit GEMM: F by N P Q outputs in tiles of 64 x 64, depth 8, 4 x 4 a thread in registers, im2col while loading." }
*/
constexpr int BM = 64, BN = 64, BK = 8;
__global__ void __launch_bounds__(256)
    igemm(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, int64_t cols,
          int64_t tiles, int64_t C, int64_t H, int64_t W, int64_t F, int64_t R, int64_t S, int64_t P,
          int64_t Q, int64_t stride, int64_t pad) {
  __shared__ float As[BK][BM + 4], Bs[BK][BN + 4];
  const int tid = threadIdx.y * 16 + threadIdx.x;
  const int64_t f0 = blockIdx.x / tiles * BM, n0 = blockIdx.x % tiles * BN, K = C * R * S;
  float acc[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += 256) {
      const int kk = i % BK, f = i / BK;
      As[kk][f] = (f0 + f < F && k0 + kk < K) ? float(w[(f0 + f) * K + k0 + kk]) : 0.f;
    }
    for (int i = tid; i < BN * BK; i += 256) {
      const int n = i % BN, kk = i / BN;
      float v = 0.f;
      const int64_t col = n0 + n, k = k0 + kk;
      if (col < cols && k < K) {
        const int64_t q = col % Q, p = col / Q % P, img = col / Q / P;
        const int64_t s = k % S, r = k / S % R, c = k / S / R;
        const int64_t h = p * stride + r - pad, vv = q * stride + s - pad;
        if (h >= 0 && h < H && vv >= 0 && vv < W) v = float(x[((img * C + c) * H + h) * W + vv]);
      }
      Bs[kk][n] = v;
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) a[i] = As[kk][threadIdx.y * 4 + i], b[i] = Bs[kk][threadIdx.x + 16 * i];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int64_t f = f0 + threadIdx.y * 4 + i;
    if (f >= F) continue;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int64_t col = n0 + threadIdx.x + 16 * j;
      if (col < cols) y[(col / (P * Q) * F + f) * P * Q + col % (P * Q)] = y_t(acc[i][j]);
    }
  }
}
