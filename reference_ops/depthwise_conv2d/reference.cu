/*kgen
{ "let": {"steps": "2 * R * S"},
  "launches": [ {"kernel": "depthwise_conv2d_reference", "grid": ["ceil_div(numel(y), 128)"], "block": [128],
                 "args": ["x", "w", "y", "y_scale", "N", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "Naive fp64 oracle: one element a thread. y and y_scale are double here." }
*/
__global__ void depthwise_conv2d_reference(const x_t* x, const w_t* w, double* y, double* y_scale, long long N, int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= N * C * P * Q) return;
  const int q = i % Q, p = i / Q % P, c = i / (static_cast<long long>(P) * Q) % C;
  const long long plane = i / (static_cast<long long>(P) * Q);
  double sum = 0.0, magnitude = 0.0;
  for (int r = 0; r < R; ++r) {
    const int h = p * stride + r - pad;
    if (h < 0 || h >= H) continue;
    for (int s = 0; s < S; ++s) {
      const int v = q * stride + s - pad;
      if (v < 0 || v >= W) continue;
      const double product = static_cast<double>(static_cast<float>(x[(plane * H + h) * W + v])) *
                             static_cast<double>(static_cast<float>(w[(static_cast<long long>(c) * R + r) * S + s]));
      sum += product;
      magnitude += fabs(product);
    }
  }
  y[i] = sum;
  y_scale[i] = magnitude;
}
