/*kgen
{ "requires": ["(H + 2 * pad) * (W + 2 * pad) <= 2147483520"],
  "launches": [ {"kernel": "depthwise_conv2d", "grid": ["N * C"], "block": [128],
                 "args": ["x", "w", "y", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "One block a plane: 32-bit indices inside it, taps outside the image left out by the bounds of the loops." }
*/
__global__ void __launch_bounds__(128) depthwise_conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y,
                                                        int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  const x_t* const plane = x + static_cast<long long>(blockIdx.x) * H * W;
  const w_t* const filter = w + static_cast<long long>(blockIdx.x % C) * R * S;
  y_t* const out = y + static_cast<long long>(blockIdx.x) * P * Q;
  for (int at = threadIdx.x; at < P * Q; at += 128) {
    const int top = at / Q * stride - pad, left = at % Q * stride - pad;
    const int last_r = min(R, H - top), last_s = min(S, W - left);
    float sum = 0.0f;
    for (int r = max(0, -top); r < last_r; ++r) {
      for (int s = max(0, -left); s < last_s; ++s) sum = fmaf(float(plane[(top + r) * W + left + s]), float(filter[r * S + s]), sum);
    }
    out[at] = y_t(sum);
  }
}
