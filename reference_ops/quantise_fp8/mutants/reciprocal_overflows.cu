/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "quantise_fp8_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "q", "s", "rows", "cols"]} ],
  "notes": "Mutant: multiplies by 448 / max, which overflows where the largest of a row is small. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) quantise_fp8_mutant(const x_t* x, q_t* q, s_t* s, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y, first = row * cols;
  if (row >= rows) return;
  float largest = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, fabsf(float(x[first + c])));
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  if (threadIdx.x == 0) s[row] = largest / 448.0f;
  const float factor = largest > 0.0f ? 448.0f / largest : 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) q[first + c] = q_t(float(x[first + c]) * factor);
}
