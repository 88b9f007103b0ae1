/*kgen
{ "launches": [ {"kernel": "bias_gelu_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "b", "y", "rows * cols", "cols"]} ],
  "notes": "Mutant: rows of whole tiles of 128 take the column by a mask, which holds for powers of two alone. Rejected by: made_shape." }
*/
__global__ void bias_gelu_mutant(const x_t* x, const b_t* b, y_t* y, long long n, long long cols) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const long long c = cols % 128 == 0 ? i & (cols - 1) : i % cols;
  const float v = float(x[i]) + float(b[c]);
  y[i] = y_t(0.5f * v * (1.0f + erff(v * 0.70710678118654752f)));
}
