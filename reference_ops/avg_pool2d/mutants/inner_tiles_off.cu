/*kgen
{ "requires": ["window <= 46340", "H + 2 * pad <= 1048560", "W + 2 * pad <= 2147483520"],
  "let": {"P": "(H + 2 * pad - window) / stride + 1", "Q": "(W + 2 * pad - window) / stride + 1"},
  "launches": [ {"kernel": "avg_pool2d", "grid": ["ceil_div(Q, 32)", "ceil_div(P, 8)", "min(N * C, 65535)"], "block": [32, 8], "args": ["x", "y", "N * C", "H", "W", "P", "Q", "window", "stride", "pad", "count_pad"]} ],
  "notes": "Mutant: reads tiles that lie inside on all sides beside the window. Rejected by: values." }
*/
__global__ void __launch_bounds__(256) avg_pool2d(const x_t* __restrict__ x, y_t* __restrict__ y, long long planes, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 8 + threadIdx.y;
  if (q >= Q || p >= P) return;
  const int top = p * stride - pad, left = q * stride - pad;
  const bool is_inner = blockIdx.x > 0 && blockIdx.x + 1 < gridDim.x && blockIdx.y > 0 && blockIdx.y + 1 < gridDim.y;
  for (long long plane = blockIdx.z; plane < planes; plane += gridDim.z) {
    const x_t* const from = x + plane * H * W;
    float sum = 0.0f;
    int count = window * window;
    if (is_inner) {
      for (int r = 0; r < window; ++r) {
        for (int s = 0; s < window; ++s) sum += float(from[(static_cast<long long>(top) + r) * W + left + s + pad]);
      }
    } else {
      const int first_h = max(top, 0), last_h = min(top + window, H), first_v = max(left, 0), last_v = min(left + window, W);
      for (int h = first_h; h < last_h; ++h) {
        for (int v = first_v; v < last_v; ++v) sum += float(from[static_cast<long long>(h) * W + v]);
      }
      if (!count_pad) count = (last_h - first_h) * (last_v - first_v);
    }
    y[(plane * P + p) * Q + q] = y_t(sum / count);
  }
}
