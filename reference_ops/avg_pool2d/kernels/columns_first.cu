/*kgen
{ "requires": ["W <= 2048", "H + pad <= 2147483647", "window <= 46340"],
  "launches": [ {"kernel": "avg_pool2d", "grid": ["N * C * ((H + 2 * pad - window) / stride + 1)"], "block": [64],
                 "args": ["x", "y", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad", "count_pad"]} ],
  "notes": "One block a row of results: sums of columns into shared memory, then of their windows." }
*/
__global__ void __launch_bounds__(64) avg_pool2d(const x_t* __restrict__ x, y_t* __restrict__ y, int H, int W, int P, int Q, int window, int stride, int pad, bool count_pad) {
  __shared__ float columns[2048];
  const long long plane = blockIdx.x / P;
  const int top = static_cast<int>(blockIdx.x % P) * stride - pad, first_h = max(top, 0), last_h = min(top + window, H);
  for (int v = threadIdx.x; v < W; v += 64) {
    float sum = 0.0f;
    for (int h = first_h; h < last_h; ++h) sum += float(x[(plane * H + h) * W + v]);
    columns[v] = sum;
  }
  __syncthreads();
  for (int q = threadIdx.x; q < Q; q += 64) {
    const int left = q * stride - pad, first_v = max(left, 0), last_v = min(left + window, W);
    float sum = 0.0f;
    for (int v = first_v; v < last_v; ++v) sum += columns[v];
    y[static_cast<long long>(blockIdx.x) * Q + q] = y_t(sum / (count_pad ? window * window : (last_h - first_h) * (last_v - first_v)));
  }
}
