/*kgen
{ "let": {"chunks": "ceil_div(width, 128)"},
  "launches": [ {"kernel": "combine", "grid": ["ceil_div(tokens * chunks, 8)"], "block": [256], "args": ["x", "slots", "weights", "y", "tokens", "width", "chunks", "k"]} ],
  "notes": "A warp for 128 columns of a token; slots and weights are read once a lane and handed round by shuffles, 32 experts at a time." }
*/
__global__ void __launch_bounds__(256)
    combine(const x_t* __restrict__ x, const int* __restrict__ slots, const float* __restrict__ weights,
            y_t* __restrict__ y, int64_t tokens, int64_t width, int64_t chunks, int k) {
  const int64_t item = (int64_t)blockIdx.x * 8 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (item >= tokens * chunks) return;
  const int64_t t = item / chunks, c0 = (item % chunks) * 128 + lane;
  float acc[4] = {0.f, 0.f, 0.f, 0.f};
  for (int j0 = 0; j0 < k; j0 += 32) {
    int slot = 0;
    float wt = 0.f;
    if (j0 + lane < k) {
      slot = slots[t * k + j0 + lane];
      wt = weights[t * k + j0 + lane];
    }
    const int nj = min(32, k - j0);
    for (int j = 0; j < nj; ++j) {
      const x_t* row = x + (int64_t)__shfl_sync(0xffffffffu, slot, j) * width;
      const float w = __shfl_sync(0xffffffffu, wt, j);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (c0 + 32 * i < width) acc[i] += w * float(row[c0 + 32 * i]);
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (c0 + 32 * i < width) y[t * width + c0 + 32 * i] = y_t(acc[i]);
}
