/*kgen
{ "launches": [ {"kernel": "depthwise_conv2d_mutant", "grid": ["N * C"], "block": [128],
                 "args": ["x", "w", "y", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "Mutant: divides a place by the columns of the output through a rounded reciprocal, which is wrong at 41 of them, and 47, 55, 61. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) depthwise_conv2d_mutant(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y,
                                                               int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  const x_t* const plane = x + static_cast<long long>(blockIdx.x) * H * W;
  const w_t* const filter = w + blockIdx.x % C * R * S;
  y_t* const out = y + static_cast<long long>(blockIdx.x) * P * Q;
  const float inverse = 1.0f / Q;
  for (int at = threadIdx.x; at < P * Q; at += 128) {
    const int row = static_cast<int>(at * inverse), top = row * stride - pad, left = (at - row * Q) * stride - pad;
    const int last_r = min(R, H - top), last_s = min(S, W - left);
    float sum = 0.0f;
    for (int r = max(0, -top); r < last_r; ++r) {
      for (int s = max(0, -left); s < last_s; ++s) sum = fmaf(float(plane[(top + r) * W + left + s]), float(filter[r * S + s]), sum);
    }
    out[at] = y_t(sum);
  }
}
