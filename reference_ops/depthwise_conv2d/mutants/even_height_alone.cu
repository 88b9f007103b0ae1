/*kgen
{ "requires": ["(H + 2 * pad) * (W + 2 * pad) <= 2147483520"],
  "launches": [ {"kernel": "depthwise_conv2d", "grid": ["N * C"], "block": [128], "args": ["x", "w", "y", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "Mutant: leaves the bound on the right out where the height is even. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) depthwise_conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y,
                                                        int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  const x_t* const plane = x + static_cast<long long>(blockIdx.x) * H * W;
  const w_t* const filter = w + static_cast<long long>(blockIdx.x % C) * R * S;
  y_t* const out = y + static_cast<long long>(blockIdx.x) * P * Q;
  if (R == 3 && S == 3 && stride == 2 && pad == 1 && H % 2 == 0) {  // even images: the window leaves them above and on the left alone
    float taps[9];
#pragma unroll
    for (int t = 0; t < 9; ++t) taps[t] = float(filter[t]);
    for (int at = threadIdx.x; at < P * Q; at += 128) {
      const int top = at / Q * 2 - 1, left = at % Q * 2 - 1;
      float sum = 0.0f;
#pragma unroll
      for (int r = 0; r < 3; ++r) {
        if (top + r < 0) continue;
#pragma unroll
        for (int s = 0; s < 3; ++s) {
          if (left + s >= 0 && (top + r) * W + left + s < H * W) sum = fmaf(float(plane[(top + r) * W + left + s]), taps[r * 3 + s], sum);
        }
      }
      out[at] = y_t(sum);
    }
    return;
  }
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
