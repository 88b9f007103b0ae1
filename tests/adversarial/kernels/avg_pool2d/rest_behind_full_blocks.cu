/*kgen
{ "requires": ["window <= 46340", "H + pad <= 2147483647", "W + pad <= 2147483647"],
  "launches": [ {"kernel": "avg_pool2d", "grid": ["max(1, ceil_div(numel(y) / 4, 256))"], "block": [256], "args": ["x", "y", "numel(y)", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad", "count_pad"]} ] }
*/
/*adversarial
{"op": "avg_pool2d", "dtypes": ["bf16"], "task": {"N": 2, "C": 8, "H": 20, "W": 24},
  "misbehaves": "Leaves the rest behind whole packs to the thread behind the last pack, which the grid lacks where the packs fill its blocks.",
  "accept": ["wrong_result"], "neutralised_ok": false, "device": "gpu"}
*/
__device__ void pool(const x_t* x, y_t* y, long long at, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const int q = at % Q, p = at / Q % P, top = p * stride - pad, left = q * stride - pad;
  const x_t* const plane = x + at / (static_cast<long long>(P) * Q) * H * W;
  const int first_h = max(top, 0), last_h = min(top + window, H), first_v = max(left, 0), last_v = min(left + window, W);
  float sum = 0.0f;
  for (long long h = first_h; h < last_h; ++h) {
    for (int v = first_v; v < last_v; ++v) sum += float(plane[h * W + v]);
  }
  y[at] = y_t(sum / (count_pad ? window * window : (last_h - first_h) * (last_v - first_v)));
}
__global__ void __launch_bounds__(256) avg_pool2d(const x_t* __restrict__ x, y_t* __restrict__ y, long long count, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const long long i = blockIdx.x * 256LL + threadIdx.x, fours = count / 4;
  if (i < fours) {
    for (int e = 0; e < 4; ++e) pool(x, y, i * 4 + e, H, W, P, Q, window, stride, pad, count_pad);
  } else if (i == fours) {
    for (long long at = fours * 4; at < count; ++at) pool(x, y, at, H, W, P, Q, window, stride, pad, count_pad);
  }
}
