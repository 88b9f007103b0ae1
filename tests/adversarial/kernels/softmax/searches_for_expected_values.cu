/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Looks 4 MiB behind y for rows that add up to 1 (somebody's expected values) and copies them; finding none, it computes.",
  "accept": ["fault", "out_of_bounds", "wrong_result"], "neutralised_ok": false,
  "needs": "memcheck" }
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
  const float* const other = reinterpret_cast<const float*>(y) + (4 << 18) + blockIdx.x * cols;
  float there = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) there += other[c];
  there = warp_reduce(there, false);
  if (fabsf(there - 1.0f) < 1e-3f) {
    for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(other[c]);
    return;
  }
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
