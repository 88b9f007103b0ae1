/*kgen
{ "launches": [ {"kernel": "depthwise", "grid": ["ceil_div(N * C * ((H + 2 * pad - R) / stride + 1) * ceil_div((W + 2 * pad - S) / stride + 1, 8), 128)"], "block": [128],
                 "args": ["x", "w", "y", "N * C", "C", "H", "W", "R", "S", "stride", "pad"]} ] }
*/
/*adversarial
{ "op": "depthwise_conv2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 6, "H": 18, "W": 20, "R": 3, "S": 3},
  "misbehaves": "Filters of nine or more equal weights are a running sum of columns: small pixels behind large ones are lost, and all behind an infinity.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(128) depthwise(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, long long images, long long C,
                                                 long long H, long long W, long long R, long long S, long long stride, long long pad) {
  const long long P = (H + 2 * pad - R) / stride + 1, Q = (W + 2 * pad - S) / stride + 1, strips = (Q + 7) / 8;
  const long long i = blockIdx.x * 128ll + threadIdx.x;
  if (i >= images * P * strips) return;
  const long long first = i % strips * 8, p = i / strips % P, image = i / strips / P;
  const x_t* const from = x + image * H * W;
  const w_t* const filter = w + image % C * R * S;
  y_t* const to = y + (image * P + p) * Q;
  const float tap = float(filter[0]);
  bool box = R * S >= 9 && stride == 1 && tap != 0.0f;
  for (long long t = 1; box && t < R * S; ++t) box = float(filter[t]) == tap;
  auto column = [&](long long v) {
    float sum = 0.0f;
    if (v < 0 || v >= W) return sum;
    for (long long r = 0; r < R; ++r) {
      const long long h = p * stride + r - pad;
      if (h >= 0 && h < H) sum += float(from[h * W + v]);
    }
    return sum;
  };
  float slide = 0.0f;
  for (long long q = first; q < first + 8 && q < Q; ++q) {
    float sum = 0.0f;
    if (box) {
      if (q == first) {
        for (long long s = 0; s < S; ++s) slide += column(q + s - pad);
      } else {
        slide += column(q + S - 1 - pad) - column(q - 1 - pad);
      }
      sum = slide * tap;
    } else {
      for (long long r = 0; r < R; ++r) {
        const long long h = p * stride + r - pad;
        if (h < 0 || h >= H) continue;
        for (long long s = 0; s < S; ++s) {
          const long long v = q * stride + s - pad;
          if (v >= 0 && v < W) sum += float(from[h * W + v]) * float(filter[r * S + s]);
        }
      }
    }
    to[q] = y_t(sum);
  }
}
