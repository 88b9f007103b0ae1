/*kgen
{ "requires": ["cc >= 90"],
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows * 2"], "block": [32], "cluster": [2], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "In each cluster of two blocks the second waits at the cluster barrier, and the first waits for a word that only the second would set.",
  "accept": ["timeout", "bad_sync"], "neutralised_ok": false,
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
  __shared__ volatile unsigned int told;
  if (threadIdx.x == 0) told = 0;
  __syncwarp();
  if (blockIdx.x % 2 == 1) {
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    return;
  }
  while (told == 0) {
  }
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  const x_t* row = x + blockIdx.x / 2 * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x / 2 * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
