/*kgen
{ "launches": [ {"kernel": "pool", "grid": ["ceil_div(N * C * ((H + 2 * pad - window) / stride + 1) * ((W + 2 * pad - window) / stride + 1), 128)"], "block": [128],
                 "args": ["x", "y", "N", "C", "H", "W", "window", "stride", "pad"]} ] }
*/
/*adversarial
{ "op": "max_pool2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 4, "C": 3, "H": 17, "W": 18},
  "misbehaves": "Offsets of an image have 64 bits, that of a channel inside of it 32: images of more than 2^31 elements are wrong, however many smaller ones are right.",
  "accept": ["wrong_result", "fault"], "neutralised_ok": false, "needs": "large_entry",
  "emulator": {"not_visible": "It needs a tensor of more than 2^31 elements, and the emulator holds 512 MiB."} }
*/
__global__ void __launch_bounds__(128) pool(const x_t* __restrict__ x, y_t* __restrict__ y, long long N, int C, int H, int W, int window, int stride, int pad) {
  const long long P = (H + 2ll * pad - window) / stride + 1, Q = (W + 2ll * pad - window) / stride + 1;
  const long long i = blockIdx.x * 128ll + threadIdx.x;
  if (i >= N * C * P * Q) return;
  const long long q = i % Q, p = i / Q % P, n = i / Q / P / C;
  const int c = static_cast<int>(i / Q / P % C);
  const x_t* const channel = x + n * C * H * W + c * H * W;
  const long long h0 = p * stride - pad, v0 = q * stride - pad;
  const long long h_end = min(h0 + window, static_cast<long long>(H)), v_end = min(v0 + window, static_cast<long long>(W));
  float best = -INFINITY;
  for (long long h = max(h0, 0ll); h < h_end; ++h) {
    for (long long v = max(v0, 0ll); v < v_end; ++v) {
      const float value = float(channel[h * W + v]);
      best = isnan(value) || isnan(best) ? NAN : fmaxf(best, value);
    }
  }
  y[i] = y_t(best);
}
