/*kgen
{ "requires": ["cols <= 65536"],
  "launches": [ {"kernel": "moments_updated", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "mean", "variance", "rows", "cols"]} ],
  "notes": "Welford by a thread a row, rounded reciprocals of the count: its mean stands still where steps are below half a spacing." }
*/
__global__ void moments_updated(const x_t* x, float* mean, float* variance, long long rows, long long cols) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  float m = 0.0f, squares = 0.0f;
  for (long long c = 0; c < cols; ++c) {
    const float value = float(x[row * cols + c]), before = value - m;
    m += before * __frcp_rn(float(c + 1));
    squares = fmaf(before, value - m, squares);
  }
  mean[row] = m;
  variance[row] = squares / float(cols);
}
