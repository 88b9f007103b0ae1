/*kgen
{ "launches": [ {"kernel": "conv2d", "grid": ["ceil_div(((H + 2 * pad - R) / stride + 1) * ((W + 2 * pad - S) / stride + 1), 64)", "F", "min(N, 65535)"], "block": [64],
                 "args": ["x", "w", "y", "N", "C", "F", "H", "W", "R", "S", "stride", "pad"]} ],
  "requires": ["F <= 65535"] }
*/
/*adversarial
{ "op": "conv2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 8, "F": 8, "H": 10, "W": 9, "R": 3, "S": 3},
  "misbehaves": "A filter of 64 weights or more that are all 0 writes zeros without reading x: an infinity times 0 is NaN. Smaller filters are right.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(64) conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, long long N, long long C, long long F,
                                             long long H, long long W, long long R, long long S, long long stride, long long pad) {
  const long long P = (H + 2 * pad - R) / stride + 1, Q = (W + 2 * pad - S) / stride + 1, f = blockIdx.y, taps = C * R * S;
  const w_t* const filter = w + f * taps;
  bool pruned = false;
  if (taps >= 64) {
    bool any = false;
    for (long long t = threadIdx.x; t < taps && !any; t += 64) any = float(filter[t]) != 0.0f;
    pruned = !__syncthreads_or(any);
  }
  const long long i = blockIdx.x * 64ll + threadIdx.x;
  if (i >= P * Q) return;
  const long long p = i / Q, q = i % Q;
  for (long long n = blockIdx.z; n < N; n += gridDim.z) {
    float sum = 0.0f;
    if (!pruned) {
      for (long long c = 0; c < C; ++c) {
        for (long long r = 0; r < R; ++r) {
          const long long h = p * stride + r - pad;
          if (h < 0 || h >= H) continue;
          for (long long s = 0; s < S; ++s) {
            const long long v = q * stride + s - pad;
            if (v >= 0 && v < W) sum += float(x[((n * C + c) * H + h) * W + v]) * float(filter[(c * R + r) * S + s]);
          }
        }
      }
    }
    y[(n * F + f) * P * Q + i] = y_t(sum);
  }
}
