/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Indexes with a 32-bit int, which overflows from 2^31 elements on; what it writes 4 GiB before its output may lie in an input.",
  "accept": ["wrong_result", "fault", "out_of_bounds", "input_modified"], "neutralised_ok": false,
  "needs": "large" }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, int cols) {
  const x_t* row = x + static_cast<int>(blockIdx.x) * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (int c = threadIdx.x; c < cols; c += 32) y[static_cast<int>(blockIdx.x) * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
