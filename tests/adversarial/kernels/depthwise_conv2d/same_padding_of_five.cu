/*kgen
{ "launches": [ {"kernel": "dw", "grid": ["ceil_div(numel(y), 128)"], "block": [128],
                 "args": ["x", "w", "y", "N", "C", "H", "W", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ] }
*/
/*adversarial
{ "op": "depthwise_conv2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 6, "H": 18, "W": 20, "R": 3, "S": 3},
  "misbehaves": "Filters of five by five at steps of two are taken for padded by two, whatever pad says.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void dw(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, long long N, int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= N * C * P * Q) return;
  const int q = i % Q, p = i / Q % P, c = i / (static_cast<long long>(P) * Q) % C;
  const long long plane = i / (static_cast<long long>(P) * Q);
  if (R == 5 && S == 5 && stride == 2) pad = 2;  // the unrolled path of 5 x 5: "same" padding
  float sum = 0.0f;
  for (int r = 0; r < R; ++r) {
    const int h = p * stride + r - pad;
    if (h < 0 || h >= H) continue;
    for (int s = 0; s < S; ++s) {
      const int v = q * stride + s - pad;
      if (v >= 0 && v < W) sum += float(x[(plane * H + h) * W + v]) * float(w[(c * R + r) * S + s]);
    }
  }
  y[i] = y_t(sum);
}
