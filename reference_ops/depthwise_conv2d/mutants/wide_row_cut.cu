/*kgen
{ "launches": [ {"kernel": "depthwise_mutant", "grid": ["N * C"], "block": [32, 4],
                 "args": ["x", "w", "y", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "Mutant: a warp a row of outputs, and with 3 x 3 taps, stride 2 and pad 1 none behind the 32nd. Rejected by: values." }
*/
__global__ void depthwise_mutant(const x_t* x, const w_t* w, y_t* y, int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  const x_t* const plane = x + static_cast<long long>(blockIdx.x) * H * W;
  const w_t* const filter = w + blockIdx.x % C * R * S;
  y_t* const out = y + static_cast<long long>(blockIdx.x) * P * Q;
  const int width = stride == 2 && R == 3 && S == 3 && pad == 1 ? 32 : Q;
  for (int p = threadIdx.y; p < P; p += 4) {
    for (int q = threadIdx.x; q < min(Q, width); q += 32) {
      const int top = p * stride - pad, left = q * stride - pad;
      const int last_r = min(R, H - top), last_s = min(S, W - left);
      float sum = 0.0f;
      for (int r = max(0, -top); r < last_r; ++r) {
        for (int s = max(0, -left); s < last_s; ++s) sum = fmaf(float(plane[(top + r) * W + left + s]), float(filter[r * S + s]), sum);
      }
      out[p * Q + q] = y_t(sum);
    }
  }
}
