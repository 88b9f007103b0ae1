/*kgen
{ "let": {"steps": "cols"},
  "launches": [ {"kernel": "argmax_reference", "grid": ["ceil_div(rows, 256)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Oracle: one thread a row." }
*/
__global__ void argmax_reference(const x_t* x, int* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 256LL + threadIdx.x;
  if (row >= rows) return;
  int place = 0;
  for (long long c = 1; c < cols; ++c) {
    if (static_cast<float>(x[row * cols + c]) > static_cast<float>(x[row * cols + place])) place = static_cast<int>(c);
  }
  y[row] = place;
}
