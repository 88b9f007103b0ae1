/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["y", "x", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Its plan passes y where the kernel reads and x where it writes.",
  "accept": ["plan_invalid", "wrong_result", "input_modified"], "neutralised_ok": false,
  "emulator": {"accept": ["uninitialised_read"]} }
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
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
