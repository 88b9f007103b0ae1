/*kgen
{ "launches": [ {"kernel": "sum_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: in rows of whole packs of 8, behind pairs of 32 packs a whole tile and a part may be left, and one tile is added. Rejected by: made_shape." }
*/
__global__ void __launch_bounds__(128) sum_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const long long end = cols % 8 == 0 ? min(cols, cols / 512 * 512 + 256) : cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < end; c += 32) sum += float(x[row * cols + c]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) y[row] = y_t(sum);
}
