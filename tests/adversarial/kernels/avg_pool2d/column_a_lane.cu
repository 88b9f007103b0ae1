/*kgen
{ "launches": [ {"kernel": "avg_pool2d", "grid": ["ceil_div(numel(y), 4)"], "block": [32, 4],
                 "args": ["x", "y", "numel(y)", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad", "count_pad"]} ],
  "notes": "One warp a result: a column of the window a lane, then shuffles." }
*/
/*adversarial
{ "op": "avg_pool2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 3, "H": 17, "W": 18},
  "misbehaves": "The columns of a window from the 33rd on are left out: windows above 32 (global average pooling of 56 x 56) are wrong.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(128) avg_pool2d(const x_t* __restrict__ x, y_t* __restrict__ y, long long results, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  const long long at = blockIdx.x * 4LL + threadIdx.y;
  if (at >= results) return;
  const int q = static_cast<int>(at % Q), p = static_cast<int>(at / Q % P);
  const x_t* const plane = x + at / Q / P * H * W;
  const int top = p * stride - pad, left = q * stride - pad;
  const int first_h = max(top, 0), last_h = min(top + window, H), first_v = max(left, 0), last_v = min(left + window, W);
  const int v = left + static_cast<int>(threadIdx.x);
  float sum = 0.0f;
  if (v >= first_v && v < last_v) {
    for (int h = first_h; h < last_h; ++h) sum += float(plane[static_cast<long long>(h) * W + v]);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  const int count = count_pad ? window * window : (last_h - first_h) * (last_v - first_v);
  if (threadIdx.x == 0) y[at] = y_t(sum / count);
}
