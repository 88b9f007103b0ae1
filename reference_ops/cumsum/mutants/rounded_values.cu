/*kgen
{ "requires": ["dtype(x) == f32"],
  "launches": [ {"kernel": "cumsum_mutant", "grid": ["ceil_div(rows, 64)"], "block": [64], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: rounds values to bf16. Rejected by: values." }
*/
__global__ void cumsum_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 64LL + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (long long c = 0; c < cols; ++c) {
    sum += float(__nv_bfloat16(float(x[row * cols + c])));
    y[row * cols + c] = y_t(sum);
  }
}
