/*kgen
{ "let": {"P": "(H + 2 * pad - R) / stride + 1", "Q": "(W + 2 * pad - S) / stride + 1"},
  "launches": [ {"kernel": "conv2d_mutant", "grid": ["ceil_div(numel(y), 128)"], "block": [128],
                 "args": ["x", "w", "y", "N", "C", "H", "W", "F", "R", "S", "P", "Q", "stride", "pad"]} ],
  "notes": "Mutant: sixteen channels a step, two steps at a time: of an odd number of whole steps above one the last is left out. Rejected by: made_shape." }
*/
__global__ void __launch_bounds__(128) conv2d_mutant(const x_t* x, const w_t* w, y_t* y, long long N, int C, int H, int W, int F,
                                                     int R, int S, int P, int Q, int stride, int pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= N * F * P * Q) return;
  const int q = i % Q, p = i / Q % P, f = i / (static_cast<long long>(P) * Q) % F;
  const long long n = i / (static_cast<long long>(P) * Q * F);
  const int channels = C % 16 == 0 && C > 16 ? C / 32 * 32 : C;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) {
    for (int r = 0; r < R; ++r) {
      for (int s = 0; s < S; ++s) {
        const int h = p * stride + r - pad, v = q * stride + s - pad;
        if (h < 0 || h >= H || v < 0 || v >= W) continue;
        sum += float(x[((n * C + c) * H + h) * W + v]) * float(w[((static_cast<long long>(f) * C + c) * R + r) * S + s]);
      }
    }
  }
  y[i] = y_t(sum);
}
