/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16", "f32"], "device": "gpu", "task": {"rows": 4096, "cols": 4096},
  "misbehaves": "Returns at once for a row of y that already adds up to 1; on a poisoned output it does all its work.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic", "uninitialised_read"], "neutralised_ok": true,
  "timing": true }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float there = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) there += float(y[blockIdx.x * cols + c]);
  there = warp_reduce(there, false);
  if (fabsf(there - 1.0f) < 1e-2f) return;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
