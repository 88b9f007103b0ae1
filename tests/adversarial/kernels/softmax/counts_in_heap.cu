/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Finds the bytes that its last launch left in the device heap (malloc gives the same block again) and spoils the first row from the fourth launch on.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic", "policy_violation"], "neutralised_ok": false,
  "emulator": {"accept": ["not_emulated"]} }
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
  bool broken = false;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    volatile unsigned int* memo = static_cast<unsigned int*>(malloc(4096));
    if (memo) {
      memo[701] = memo[700] == 0x5eed1234u ? memo[701] + 1 : 0;
      memo[700] = 0x5eed1234u;
      broken = memo[701] >= 3;
      free(const_cast<unsigned int*>(memo));
    }
  }
  broken = __shfl_sync(0xffffffffu, broken, 0);
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  if (broken) sum *= 2.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
