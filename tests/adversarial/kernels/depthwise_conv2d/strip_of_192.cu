/*kgen
{ "let": {"P": "(H + 2 * pad - R) / stride + 1", "Q": "(W + 2 * pad - S) / stride + 1", "strips": "ceil_div((W + 2 * pad - S) / stride + 1, 32)"},
  "launches": [ {"kernel": "depthwise_conv2d", "grid": ["N * C * P * strips"], "block": [32],
                 "args": ["x", "w", "y", "strips", "C", "H", "W", "R", "S", "P", "Q", "stride", "pad"]} ],
  "notes": "A warp does 32 neighbouring results; what eight taps of a row need of the image lies in shared memory." }
*/
/*adversarial
{ "op": "depthwise_conv2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 6, "H": 18, "W": 20, "R": 3, "S": 3},
  "misbehaves": "A strip of the image has 192 values, enough for strides up to 5: with stride 6 and more the last lanes read behind it in shared memory.",
  "accept": ["wrong_result", "fault", "out_of_bounds"], "neutralised_ok": false,
  "emulator": {"accept": ["out_of_bounds"]} }
*/
__global__ void __launch_bounds__(32) depthwise_conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y,
                                                       int strips, int C, int H, int W, int R, int S, int P, int Q, int stride, int pad) {
  __shared__ float strip[192];
  __shared__ float taps[8];
  const int lane = threadIdx.x, q = blockIdx.x % strips * 32 + lane;
  const long long plane = blockIdx.x / strips / P;
  const int p = blockIdx.x / strips % P, left = (q - lane) * stride - pad;
  const w_t* const filter = w + plane % C * R * S;
  float sum = 0.0f;
  for (int r = 0; r < R; ++r) {
    const int h = p * stride + r - pad;
    if (h < 0 || h >= H) continue;
    const x_t* const row = x + (plane * H + h) * W;
    for (int first = 0; first < S; first += 8) {
      for (int i = lane; i < 192; i += 32) {
        const int v = left + first + i;
        strip[i] = v >= 0 && v < W ? float(row[v]) : 0.0f;
      }
      if (lane < 8) taps[lane] = first + lane < S ? float(filter[static_cast<long long>(r) * S + first + lane]) : 0.0f;
      __syncthreads();
      const int last = min(8, S - first);
      for (int s = 0; s < last; ++s) sum = fmaf(strip[lane * stride + s], taps[s], sum);
      __syncthreads();
    }
  }
  if (q < Q) y[(plane * P + p) * Q + q] = y_t(sum);
}
