/*kgen
{ "requires": ["cols <= 131072"],
  "launches": [ {"kernel": "moments", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "mean", "variance", "rows", "cols"]} ],
  "notes": "A thread a row: two plain loops in f32." }
*/
__global__ void moments(const x_t* x, float* mean, float* variance, long long rows, long long cols) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  x += row * cols;
  float sum = 0.0f, squares = 0.0f;
  for (long long c = 0; c < cols; ++c) sum += float(x[c]);
  const float m = sum / cols;
  for (long long c = 0; c < cols; ++c) squares += (float(x[c]) - m) * (float(x[c]) - m);
  mean[row] = m;
  variance[row] = squares / cols;
}
