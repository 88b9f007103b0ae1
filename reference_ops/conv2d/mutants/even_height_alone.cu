/*kgen
{ "requires": ["C * R * S * 4 <= 40000"],
  "let": {"blocks": "ceil_div(((H + 2 * pad - R) / stride + 1) * ((W + 2 * pad - S) / stride + 1), 128)"},
  "launches": [ {"kernel": "conv2d", "grid": ["N * F * blocks"], "block": [128], "dynamic_shared_bytes": "C * R * S * 4", "args": ["x", "w", "y", "blocks", "C", "H", "W", "F", "R", "S", "(H + 2 * pad - R) / stride + 1", "(W + 2 * pad - S) / stride + 1", "stride", "pad"]} ],
  "notes": "Mutant: leaves the bound on the right out where the height is even. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, int blocks,
                                              int C, int H, int W, int F, int R, int S, int P, int Q, int stride, int pad) {
  extern __shared__ float filter[];
  const long long image = blockIdx.x / blocks / F;
  const int f = blockIdx.x / blocks % F, taps = C * R * S;
  for (int t = threadIdx.x; t < taps; t += 128) filter[t] = float(w[static_cast<long long>(f) * taps + t]);
  __syncthreads();
  const long long places = static_cast<long long>(P) * Q, at = blockIdx.x % blocks * 128LL + threadIdx.x;
  if (at >= places) return;
  if (R == 3 && S == 3 && stride == 2 && pad == 1 && H % 2 == 0) {  // even images: the window leaves them above and on the left alone
    const int top = static_cast<int>(at / Q) * 2 - 1, left = static_cast<int>(at % Q) * 2 - 1;
    float sum = 0.0f;
    for (int c = 0; c < C; ++c) {
      const x_t* const plane = x + (image * C + c) * H * W;
#pragma unroll
      for (int r = 0; r < 3; ++r) {
        if (top + r < 0) continue;
#pragma unroll
        for (int s = 0; s < 3; ++s) {
          const long long place = static_cast<long long>(top + r) * W + left + s;
          if (left + s >= 0 && place < static_cast<long long>(H) * W) sum = fmaf(float(plane[place]), filter[c * 9 + r * 3 + s], sum);
        }
      }
    }
    y[(image * F + f) * places + at] = y_t(sum);
    return;
  }
  const int top = static_cast<int>(at / Q) * stride - pad, left = static_cast<int>(at % Q) * stride - pad;
  const int first_r = max(0, -top), last_r = static_cast<int>(min(static_cast<long long>(R), static_cast<long long>(H) - top));
  const int first_s = max(0, -left), last_s = static_cast<int>(min(static_cast<long long>(S), static_cast<long long>(W) - left));
  float sum = 0.0f;
  for (int c = 0; c < C; ++c) {
    const x_t* const plane = x + (image * C + c) * H * W;
    for (int r = first_r; r < last_r; ++r) {
      for (int s = first_s; s < last_s; ++s)
        sum = fmaf(float(plane[static_cast<long long>(top + r) * W + left + s]), filter[(c * R + r) * S + s], sum);
    }
  }
  y[(image * F + f) * places + at] = y_t(sum);
}
