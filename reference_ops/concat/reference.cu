/*kgen
{ "launches": [ {"kernel": "concat_reference", "grid": ["ceil_div(rows * (left + right), 256)"], "block": [256],
                 "args": ["a", "b", "y", "rows", "left", "right"]} ],
  "notes": "Oracle: one element a thread. y is double here." }
*/
__global__ void concat_reference(const a_t* a, const b_t* b, double* y, long long rows, long long left, long long right) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x, cols = left + right;
  if (i >= rows * cols) return;
  const long long r = i / cols, c = i % cols;
  y[i] = static_cast<float>(c < left ? a[r * left + c] : b[r * right + c - left]);
}
