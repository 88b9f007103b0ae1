/*kgen
{ "launches": [ {"kernel": "max_pool2d_mutant", "grid": ["N * C"], "block": [128], "args": ["x", "y", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad"]} ],
  "notes": "Mutant: divides a place by the columns of the output through a rounded reciprocal, which is wrong at 41 of them, and 47, 55, 61. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) max_pool2d_mutant(const x_t* __restrict__ x, y_t* __restrict__ y, int H, int W, int P, int Q, int window, int stride, int pad) {
  const x_t* const plane = x + static_cast<long long>(blockIdx.x) * H * W;
  const float inverse = 1.0f / Q;
  for (int at = threadIdx.x; at < P * Q; at += 128) {
    const int row = static_cast<int>(at * inverse), top = row * stride - pad, left = (at - row * Q) * stride - pad;
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
