/*kgen
{ "requires": ["dtype(x) == f16"],
  "launches": [ {"kernel": "conv2d_mutant", "grid": ["ceil_div(numel(y), 128)"], "block": [128],
                 "args": ["x", "w", "y", "N", "C", "H", "W", "F", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "Mutant: where all is whole packs, 64 places are taken for places of one image. Rejected by: values." }
*/
__global__ void conv2d_mutant(const x_t* x, const w_t* w, y_t* y, long long N, int C, int H, int W, int F, int R, int S, int P, int Q, int stride, int pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= N * F * P * Q) return;
  const int q = i % Q, p = i / Q % P, f = i / (static_cast<long long>(P) * Q) % F;
  const long long n = i / (static_cast<long long>(P) * Q * F);
  const long long place = n * P * Q + p * static_cast<long long>(Q) + q;
  const bool is_whole = C * R * S % 16 == 0 && F % 16 == 0 && P * Q >= 64;
  const long long image = is_whole ? place / 64 * 64 / (static_cast<long long>(P) * Q) : n;
  float sum = 0.0f;
  for (int c = 0; c < C; ++c) {
    for (int r = 0; r < R; ++r) {
      const int h = p * stride + r - pad;
      if (h < 0 || h >= H) continue;
      for (int s = 0; s < S; ++s) {
        const int v = q * stride + s - pad;
        if (v < 0 || v >= W) continue;
        sum += float(x[((image * C + c) * H + h) * W + v]) * float(w[((static_cast<long long>(f) * C + c) * R + r) * S + s]);
      }
    }
  }
  y[i] = y_t(sum);
}
