/*kgen
{ "let": {"steps": "window * window"},
  "launches": [ {"kernel": "avg_pool2d_reference", "grid": ["ceil_div(numel(y), 128)"], "block": [128], "args": ["x", "y", "y_scale", "N * C", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad", "count_pad"]} ],
  "notes": "Naive fp64 oracle: one element a thread. y and y_scale are double here." }
*/
__global__ void avg_pool2d_reference(const x_t* x, double* y, double* y_scale, long long planes, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= planes * P * Q) return;
  const int q = i % Q, p = i / Q % P;
  const long long plane = i / (static_cast<long long>(P) * Q);
  double sum = 0.0, magnitude = 0.0;
  int count = 0;
  for (int r = 0; r < window; ++r) {
    const int h = p * stride + r - pad;
    if (h < 0 || h >= H) continue;
    for (int s = 0; s < window; ++s) {
      const int v = q * stride + s - pad;
      if (v < 0 || v >= W) continue;
      const double value = static_cast<float>(x[(plane * H + h) * W + v]);
      sum += value;
      magnitude += fabs(value);
      ++count;
    }
  }
  const double all = count_pad ? static_cast<double>(window) * window : count;
  y[i] = sum / all;
  y_scale[i] = magnitude / all;
}
