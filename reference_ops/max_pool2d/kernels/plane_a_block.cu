/*kgen
{ "requires": ["(H + 2 * pad) * (W + 2 * pad) <= 2147483520"],
  "launches": [ {"kernel": "max_pool2d", "grid": ["N * C"], "block": [128], "args": ["x", "y", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad"]} ],
  "notes": "One block a plane; the part of a window that lies in the image by the bounds of the loops; NaN by a flag." }
*/
__global__ void __launch_bounds__(128) max_pool2d(const x_t* __restrict__ x, y_t* __restrict__ y, int H, int W, int P, int Q, int window, int stride, int pad) {
  const x_t* const plane = x + static_cast<long long>(blockIdx.x) * H * W;
  for (int at = threadIdx.x; at < P * Q; at += 128) {
    const int top = at / Q * stride - pad, left = at % Q * stride - pad;
    float largest = -INFINITY;
    bool has_nan = false;
    for (int h = max(top, 0); h < min(top + window, H); ++h) {
      for (int v = max(left, 0); v < min(left + window, W); ++v) {
        const float value = float(plane[h * W + v]);
        has_nan |= value != value;
        largest = fmaxf(largest, value);
      }
    }
    y[static_cast<long long>(blockIdx.x) * P * Q + at] = y_t(has_nan ? NAN : largest);
  }
}
