/*kgen
{ "launches": [ {"kernel": "cross_entropy_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "target", "loss", "rows", "cols"]} ],
  "notes": "Mutant: in rows of whole packs of 8, behind quads of 32 packs three tiles and a part may be left, and two are added. Rejected by: values." }
*/
__global__ void cross_entropy_mutant(const x_t* x, const int* target, float* loss, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  x += row * cols;
  const long long end = cols % 8 == 0 ? min(cols, cols / 1024 * 1024 + 512) : cols;
  float largest = -INFINITY, sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(x[c]));
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  for (long long c = threadIdx.x; c < end; c += 32) sum += expf(float(x[c]) - largest);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) loss[row] = logf(sum) - (float(x[target[row]]) - largest);
}
