/*kgen
{ "launches": [ {"kernel": "conv", "grid": ["ceil_div(numel(y), 128)"], "block": [128],
                 "args": ["x", "w", "y", "N", "C", "H", "W", "F", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ] }
*/
/*adversarial
{ "op": "conv2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 3, "H": 10, "W": 11, "F": 4, "R": 3, "S": 3},
  "misbehaves": "Filters as large as their steps, without an edge (patches of a vision transformer), take rows for whole patches: other widths are wrong.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void conv(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, long long N, int C, int H, int W, int F, int R, int S, int P, int Q, int stride, int pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= N * F * P * Q) return;
  const int q = i % Q, p = i / Q % P, f = i / (static_cast<long long>(P) * Q) % F;
  const long long n = i / (static_cast<long long>(P) * Q * F);
  const int pitch = stride == R && stride == S && pad == 0 ? Q * S : W;  // patches side by side
  float sum = 0.0f;
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < R; ++r) {
      const int h = p * stride + r - pad;
      if (h < 0 || h >= H) continue;
      for (int s = 0; s < S; ++s) {
        const int v = q * stride + s - pad;
        if (v < 0 || v >= W) continue;
        sum += float(x[(n * C + c) * H * W + static_cast<long long>(h) * pitch + v]) * float(w[((static_cast<long long>(f) * C + c) * R + r) * S + s]);
      }
    }
  y[i] = y_t(sum);
}
