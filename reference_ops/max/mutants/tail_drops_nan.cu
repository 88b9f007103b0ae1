/*kgen
{ "launches": [ {"kernel": "max_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: a NaN among the last columns, which do not fill four, is dropped. Rejected by: values." }
*/
__device__ float larger(float a, float b) { return a != a ? a : b != b ? b : a > b ? a : b; }

__global__ void max_mutant(const x_t* x, y_t* y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  x += row * cols;
  float largest = -INFINITY;
  const long long whole = cols / 4 * 4;
  for (long long c = 4 * threadIdx.x; c < whole; c += 128)
    for (int j = 0; j < 4; ++j) largest = larger(largest, float(x[c + j]));
  for (int offset = 16; offset > 0; offset /= 2) largest = larger(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  if (threadIdx.x != 0) return;
  for (long long c = whole; c < cols; ++c)
    if (float(x[c]) > largest) largest = float(x[c]);
  y[row] = y_t(largest);
}
