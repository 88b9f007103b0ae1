/*kgen
{ "requires": ["H + 2 * pad <= 2147483647", "W + 2 * pad <= 2147483647"],
  "launches": [ {"kernel": "depthwise_conv2d", "grid": ["max(1, ceil_div(numel(y) / 4, 256))"], "block": [256], "args": ["x", "w", "y", "numel(y)", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ] }
*/
/*adversarial
{"op": "depthwise_conv2d", "dtypes": ["bf16"], "task": {"N": 2, "C": 8, "H": 20, "W": 24, "R": 3, "S": 3},
  "misbehaves": "Leaves the rest behind whole packs to the thread behind the last pack, which the grid lacks where the packs fill its blocks.",
  "accept": ["wrong_result"], "neutralised_ok": false, "device": "gpu"}
*/
__global__ void __launch_bounds__(256) depthwise_conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, long long count,
                                                        int C, long long H, long long W, int R, int S, long long P, long long Q, long long stride, long long pad) {
  const long long i = blockIdx.x * 256LL + threadIdx.x, fours = count / 4;
  if (i > fours) return;
  const long long last = i < fours ? i * 4 + 4 : count;
  for (long long at = i * 4; at < last; ++at) {
    const long long q = at % Q, p = at / Q % P, plane = at / (P * Q), top = p * stride - pad, left = q * stride - pad;
    float sum = 0.0f;
    for (int r = 0; r < R; ++r) {
      const long long h = top + r;
      if (h < 0 || h >= H) continue;
      for (int s = 0; s < S; ++s) {
        const long long v = left + s;
        if (v >= 0 && v < W) sum = fmaf(float(x[(plane * H + h) * W + v]), float(w[(plane % C * R + r) * S + s]), sum);
      }
    }
    y[at] = y_t(sum);
  }
}
