/*kgen
{ "requires": ["W <= 2048", "H + pad <= 2147483647"],
  "launches": [ {"kernel": "max_pool2d", "grid": ["N * C * ((H + 2 * pad - window) / stride + 1)"], "block": [64],
                 "args": ["x", "y", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad"]} ],
  "notes": "One block a row of results: maxima of columns into shared memory, then of their windows." }
*/
__device__ float larger(float a, float b) { return b > a || b != b ? b : a; }  // NaN, once met, stays

__global__ void __launch_bounds__(64) max_pool2d(const x_t* __restrict__ x, y_t* __restrict__ y, int H, int W, int P, int Q, int window, int stride, int pad) {
  __shared__ float columns[2048];
  const long long plane = blockIdx.x / P;
  const int top = static_cast<int>(blockIdx.x % P) * stride - pad;
  for (int v = threadIdx.x; v < W; v += 64) {
    float largest = -INFINITY;
    for (int h = max(top, 0); h < min(top + window, H); ++h) largest = larger(largest, float(x[(plane * H + h) * W + v]));
    columns[v] = largest;
  }
  __syncthreads();
  for (int q = threadIdx.x; q < Q; q += 64) {
    const int left = q * stride - pad;
    float largest = -INFINITY;
    for (int v = max(left, 0); v < min(left + window, W); ++v) largest = larger(largest, columns[v]);
    y[static_cast<long long>(blockIdx.x) * Q + q] = y_t(largest);
  }
}
