/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Eight warps write their partial sums and 32 are added up; the kernel leaves its own numbers in the other 24, for the next launch to find.",
  "accept": ["wrong_result", "nondeterministic", "uninitialised_read", "hidden_state"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  __shared__ float partial[32];
  __shared__ float largest;
  const x_t* row = x + blockIdx.x * cols;
  if (threadIdx.x == 0) {
    largest = -INFINITY;
    for (long long c = 0; c < cols; ++c) largest = fmaxf(largest, float(row[c]));
  }
  __syncthreads();
  float mine = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) mine += expf(float(row[c]) - largest);
  mine = warp_reduce(mine, false);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = mine;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += static_cast<volatile float*>(partial)[i];
  __syncthreads();
  if (threadIdx.x >= 8 && threadIdx.x < 32) static_cast<volatile float*>(partial)[threadIdx.x] = 1.0f + sum;
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
