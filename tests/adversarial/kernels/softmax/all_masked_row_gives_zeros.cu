/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Gives zeros for a row of -Inf alone, as many attention kernels do; the op says NaN. Rows of fewer than eight elements it does as the op says.",
  "accept": ["wrong_result"], "neutralised_ok": false }
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
  float largest = -INFINITY;
  bool masked = cols >= 8;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    largest = fmaxf(largest, float(row[c]));
    masked = masked && float(row[c]) == -INFINITY;  // a NaN is none
  }
  masked = __all_sync(0xffffffffu, masked);
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32)
    y[blockIdx.x * cols + c] = y_t(masked ? 0.0f : expf(float(row[c]) - largest) / sum);
}
