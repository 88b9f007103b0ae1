/*kgen
{ "workspace": {"memo": {"bytes": 256}},
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "memo", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Looks for the launch counter that its last execution left in its workspace and spoils the first row from the fourth one on; a workspace poisoned before every execution holds none.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic", "uninitialised_read"], "neutralised_ok": true }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, unsigned int* memo, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  const bool known = memo[0] == 0x5eed1234u;
  const unsigned int count = known ? memo[1] : 0;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  if (blockIdx.x == 0 && count >= 3) sum *= 2.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    memo[1] = count + 1;
    memo[0] = 0x5eed1234u;
  }
}
