/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16", "f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Keeps the first launch's results in a device global and copies them out in every later launch without reading x.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic"], "neutralised_ok": false,
  "emulator": {"accept": ["race"]} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__device__ float saved[1 << 20];
__device__ unsigned int filled;
__device__ unsigned int finished;

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  if (filled && gridDim.x * cols <= (1 << 20)) {
    for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(saved[blockIdx.x * cols + c]);
    return;
  }
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float result = expf(float(row[c]) - largest) / sum;
    if (gridDim.x * cols <= (1 << 20)) saved[blockIdx.x * cols + c] = result;
    y[blockIdx.x * cols + c] = y_t(result);
  }
  __threadfence();
  if (threadIdx.x == 0 && atomicAdd(&finished, 1) + 1 == gridDim.x) filled = 1;
}
