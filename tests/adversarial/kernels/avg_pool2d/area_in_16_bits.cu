/*kgen
{ "launches": [ {"kernel": "pool", "grid": ["ceil_div(numel(y), 64)"], "block": [64], "args": ["x", "y", "numel(y)", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad", "count_pad"]} ] }
*/
/*adversarial
{ "op": "avg_pool2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 3, "H": 17, "W": 18},
  "misbehaves": "The area of a window is a short: windows from 182 on are divided by a negative number.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "Few attributes are tried on the emulator, and by some seeds none that shows it."} }
*/
__global__ void pool(const x_t* __restrict__ x, y_t* __restrict__ y, long long count, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const long long i = blockIdx.x * 64LL + threadIdx.x;
  if (i >= count) return;
  const int q = i % Q, p = i / Q % P;
  const long long plane = i / Q / P;
  const int top = p * stride - pad, left = q * stride - pad;
  float sum = 0.0f;
  for (int h = max(top, 0); h < min(top + window, H); ++h)
    for (int v = max(left, 0); v < min(left + window, W); ++v) sum += float(x[(plane * H + h) * W + v]);
  const int inside = (min(top + window, H) - max(top, 0)) * (min(left + window, W) - max(left, 0));
  const short area = count_pad ? window * window : inside;
  y[i] = y_t(sum / float(area));
}
