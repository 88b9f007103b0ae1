/*kgen
{ "requires": ["cols <= 4194304"],
  "launches": [ {"kernel": "mean_variance", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "mean", "variance", "rows", "cols"]} ],
  "notes": "One warp a row, one pass: Welford in each lane, then pairs of lanes." }
*/
__global__ void __launch_bounds__(128) mean_variance(const x_t* __restrict__ x, float* __restrict__ mean,
                                                     float* __restrict__ variance, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float m = 0.0f, squares = 0.0f, count = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float value = float(x[row * cols + c]);
    count = static_cast<float>(c / 32 + 1);
    const float delta = value - m;
    m += delta / count;
    squares += delta * (value - m);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other_m = __shfl_xor_sync(0xffffffffu, m, offset), other_count = __shfl_xor_sync(0xffffffffu, count, offset);
    const float other_squares = __shfl_xor_sync(0xffffffffu, squares, offset), total = count + other_count;
    if (total > 0.0f) {
      const float delta = other_m - m, weight = other_count / total;
      m += delta * weight;
      squares += other_squares + delta * (delta * (count * weight));
      count = total;
    }
  }
  if (threadIdx.x == 0) mean[row] = m, variance[row] = squares / cols;
}
