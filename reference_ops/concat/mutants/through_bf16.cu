/*kgen
{ "requires": ["dtype(a) == f16"],
  "launches": [ {"kernel": "concat_mutant", "grid": ["ceil_div(rows * (left + right), 256)"], "block": [256],
                 "args": ["a", "b", "y", "rows", "left", "right"]} ],
  "notes": "Mutant: goes through bf16. Rejected by: values." }
*/
__global__ void concat_mutant(const a_t* a, const b_t* b, y_t* y, long long rows, long long left, long long right) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x, cols = left + right;
  if (i >= rows * cols) return;
  const long long r = i / cols, c = i % cols;
  y[i] = y_t(float(__nv_bfloat16(float(c < left ? a[r * left + c] : b[r * right + c - left]))));
}
