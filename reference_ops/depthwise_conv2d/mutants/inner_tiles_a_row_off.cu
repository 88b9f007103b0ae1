/*kgen
{ "requires": ["R == 3", "S == 3", "stride == 1", "pad == 1", "H <= 1048560"],
  "launches": [ {"kernel": "depthwise_conv2d", "grid": ["ceil_div(W, 32)", "ceil_div(H, 16)", "min(N * C, 65535)"], "block": [32, 4], "args": ["x", "w", "y", "N * C", "C", "H", "W"]} ],
  "notes": "Mutant: reads tiles that lie inside on all sides one row off. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) depthwise_conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y,
                                                        long long planes, int C, int H, int W) {
  __shared__ float tile[18][34];
  const int left = blockIdx.x * 32, top = blockIdx.y * 16;
  for (long long plane = blockIdx.z; plane < planes; plane += gridDim.z) {
    const bool is_inner = blockIdx.x > 0 && blockIdx.x + 1 < gridDim.x && blockIdx.y > 0 && blockIdx.y + 1 < gridDim.y;
    if (is_inner) {  // nothing to look at
      const x_t* const from = x + (plane * H + top) * W + left - 1;
      for (int i = threadIdx.y * 32 + threadIdx.x; i < 18 * 34; i += 128) tile[i / 34][i % 34] = float(from[i / 34 * W + i % 34]);
    } else
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 18 * 34; i += 128) {
      const int h = top + i / 34 - 1, v = left + i % 34 - 1;
      tile[i / 34][i % 34] = h >= 0 && h < H && v >= 0 && v < W ? float(x[(plane * H + h) * W + v]) : 0.0f;
    }
    float taps[9];
#pragma unroll
    for (int t = 0; t < 9; ++t) taps[t] = float(w[plane % C * 9 + t]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int row = threadIdx.y + 4 * k, h = top + row, v = left + threadIdx.x;
      if (h >= H || v >= W) continue;
      float sum = 0.0f;
#pragma unroll
      for (int t = 0; t < 9; ++t) sum = fmaf(tile[row + t / 3][threadIdx.x + t % 3], taps[t], sum);
      y[(plane * H + h) * W + v] = y_t(sum);
    }
    __syncthreads();
  }
}
