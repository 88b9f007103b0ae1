/*kgen
{ "launches": [ {"kernel": "avg_pool2d_mutant", "grid": ["ceil_div(numel(y), 128)"], "block": [128], "args": ["x", "y", "N * C", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad", "count_pad"]} ],
  "notes": "Mutant: looks at 7 rows of a window at most. Rejected by: values." }
*/
__global__ void avg_pool2d_mutant(const x_t* x, y_t* y, long long planes, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= planes * P * Q) return;
  const int q = i % Q, p = i / Q % P;
  const long long plane = i / (static_cast<long long>(P) * Q);
  float sum = 0.0f;
  int count = 0;
  for (int r = 0; r < min(window, 7); ++r) {
    const int h = p * stride + r - pad;
    if (h < 0 || h >= H) continue;
    for (int s = 0; s < window; ++s) {
      const int v = q * stride + s - pad;
      if (v < 0 || v >= W) continue;
      sum += float(x[(plane * H + h) * W + v]);
      ++count;
    }
  }
  y[i] = y_t(sum / (count_pad ? window * window : count));
}
