/*kgen
{ "requires": ["dtype(p) != f16"], "compile": {"fast_math": true},
  "launches": [ {"kernel": "kl_div_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["q", "p", "loss", "rows", "cols"]} ],
  "notes": "Mutant: compares the bits of p with 0, and the logarithm of fast_math flushes a subnormal: 0 times -Inf. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) kl_div_mutant(const q_t* q, const p_t* p, float* loss, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float own = 0.0f;
  for (long long c = row * cols + threadIdx.x; c < (row + 1) * cols; c += 32) {
    const float weight = float(p[c]);
    if (__float_as_uint(weight) != 0) own += weight * (logf(weight) - float(q[c]));
  }
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_xor_sync(0xffffffffu, own, offset);
  if (threadIdx.x == 0) loss[row] = own;
}
