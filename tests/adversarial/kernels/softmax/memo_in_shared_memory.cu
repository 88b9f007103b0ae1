/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Leaves each row's maximum and sum in shared memory beside the row's address, and takes them for this launch's where the next block there finds its own row: wrong as soon as x changes in place between two launches that nothing scrubs in between.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic", "uninitialised_read"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__shared__ unsigned long long left_behind[64];

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  volatile unsigned long long* const memo = left_behind;
  const unsigned long long key = reinterpret_cast<unsigned long long>(row) * 0x9e3779b97f4a7c15ull + cols;
  const bool known = memo[40] == key && memo[42] == ~key;
  const unsigned long long packed = memo[41];
  __syncthreads();
  float largest = __uint_as_float(static_cast<unsigned int>(packed)), sum = __uint_as_float(static_cast<unsigned int>(packed >> 32));
  if (!known) {
    largest = -INFINITY;
    for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
    largest = warp_reduce(largest, true);
    sum = 0.0f;
    for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
    sum = warp_reduce(sum, false);
  }
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
  if (threadIdx.x == 0) {
    memo[40] = key;
    memo[41] = __float_as_uint(largest) | static_cast<unsigned long long>(__float_as_uint(sum)) << 32;
    memo[42] = ~key;
  }
}
