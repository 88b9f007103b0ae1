/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Keeps a launch counter in the unused end of the output's 2 MiB allocation, far behind any narrow guard; the first row is wrong from the fourth launch on.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic", "out_of_bounds", "fault"], "neutralised_ok": false }
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
  const unsigned long long tail = reinterpret_cast<unsigned long long>(y + gridDim.x * cols) | ((2ull << 20) - 1);
  volatile unsigned int* const memo = reinterpret_cast<unsigned int*>(tail - 63);
  const bool known = memo[0] == 0x5eed1234u;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  if (blockIdx.x == 0 && known && memo[1] >= 3) sum *= 2.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    memo[1] = known ? memo[1] + 1 : 0;
    memo[0] = 0x5eed1234u;
  }
}
