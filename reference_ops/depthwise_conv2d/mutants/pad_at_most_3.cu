/*kgen
{ "launches": [ {"kernel": "depthwise_conv2d_mutant", "grid": ["ceil_div(numel(y), 128)"], "block": [128],
                 "args": ["x", "w", "y", "N", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "Mutant: pads by 3 where more is asked for. Rejected by: values." }
*/
__global__ void depthwise_conv2d_mutant(const x_t* x, const w_t* w, y_t* y, long long N, int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= N * C * P * Q) return;
  const int q = i % Q, p = i / Q % P, c = i / (static_cast<long long>(P) * Q) % C;
  const long long plane = i / (static_cast<long long>(P) * Q);
  float sum = 0.0f;
  for (int r = 0; r < R; ++r) {
    const int h = p * stride + r - (pad > 3 ? 3 : pad);
    if (h < 0 || h >= H) continue;
    for (int s = 0; s < S; ++s) {
      const int v = q * stride + s - pad;
      if (v < 0 || v >= W) continue;
      sum += float(x[(plane * H + h) * W + v]) * float(w[(c * R + r) * S + s]);
    }
  }
  y[i] = y_t(sum);
}
