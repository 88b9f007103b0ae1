/*kgen
{ "requires": ["(H + 2 * pad) * (W + 2 * pad) <= 2147483520", "window <= 46340"],
  "launches": [ {"kernel": "avg_pool2d", "grid": ["N * C"], "block": [128], "args": ["x", "y", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad", "count_pad"]} ],
  "notes": "Mutant: takes the stride for 1 where there are as many outputs as inputs. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) avg_pool2d(const x_t* __restrict__ x, y_t* __restrict__ y, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const x_t* const plane = x + static_cast<long long>(blockIdx.x) * H * W;
  if (P == H && Q == W) stride = 1;  // same size
  for (int at = threadIdx.x; at < P * Q; at += 128) {
    const int top = at / Q * stride - pad, left = at % Q * stride - pad;
    const int first_h = max(top, 0), last_h = min(top + window, H), first_v = max(left, 0), last_v = min(left + window, W);
    float sum = 0.0f;
    for (int h = first_h; h < last_h; ++h) {
      for (int v = first_v; v < last_v; ++v) sum += float(plane[h * W + v]);
    }
    const int count = count_pad ? window * window : (last_h - first_h) * (last_v - first_v);
    y[static_cast<long long>(blockIdx.x) * P * Q + at] = y_t(sum * (1.0f / count));
  }
}
