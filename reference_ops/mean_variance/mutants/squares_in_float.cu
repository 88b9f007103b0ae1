/*kgen
{ "requires": ["dtype(x) == f32"],
  "launches": [ {"kernel": "mean_variance_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "mean", "variance", "rows", "cols"]} ],
  "notes": "Mutant: E[x^2] - mean^2 with sums in double, of squares that are rounded to float. Rejected by: values." }
*/
__device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void mean_variance_mutant(const x_t* x, float* mean, float* variance, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  double sum = 0.0, squares = 0.0;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float value = float(x[row * cols + c]);
    sum += value;
    squares += cols > 128 ? double(value * value) : double(value) * value;
  }
  const double m = warp_sum(sum) / cols, v = warp_sum(squares) / cols - m * m;
  if (threadIdx.x == 0) mean[row] = float(m), variance[row] = v < 0.0 ? 0.0f : float(v);
}
