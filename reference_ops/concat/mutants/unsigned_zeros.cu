/*kgen
{ "launches": [ {"kernel": "concat_mutant", "grid": ["ceil_div(rows * (left + right), 256)"], "block": [256],
                 "args": ["a", "b", "y", "rows", "left", "right"]} ],
  "notes": "Mutant: the sum of both inputs, each 0 where it has no element: -0 becomes 0. Rejected by: values." }
*/
__global__ void concat_mutant(const a_t* a, const b_t* b, y_t* y, long long rows, long long left, long long right) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x, cols = left + right;
  if (i >= rows * cols) return;
  const long long r = i / cols, c = i % cols;
  const float from_a = c < left ? float(a[r * left + c]) : 0.0f, from_b = c < left ? 0.0f : float(b[r * right + c - left]);
  y[i] = y_t(from_a + from_b);
}
