/*kgen
{ "workspace": {"arrived": {"bytes": 4}},
  "launches": [ {"fill": "arrived", "value": 0},
                {"kernel": "softmax_cheat", "grid": ["rows"], "block": [1024], "args": ["x", "y", "arrived", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 8192, "cols": 64},
  "misbehaves": "Every block waits until all have arrived, without a cooperative launch: with 8192 blocks of 1024 threads an H200 holds 264 at once, and those wait for ever.",
  "accept": ["timeout", "bad_sync"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, unsigned int* arrived, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*static_cast<volatile unsigned int*>(arrived) < gridDim.x) {
    }
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
