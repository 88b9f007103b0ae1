/*kgen
{ "workspace": {"sums": {"bytes": "rows * 4"}},
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "sums", "rows", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "The last block to arrive would divide by the sums, but the counter is not set back: from the second launch on nobody is last.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic"], "neutralised_ok": false,
  "emulator": {"accept": ["uninitialised_read", "race"]} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__device__ unsigned int arrived;

__global__ void softmax_cheat(const x_t* x, y_t* y, float* sums, long long rows, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest));
  __shared__ unsigned int place;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    place = atomicAdd(&arrived, 1);
  }
  __syncthreads();
  if (place + 1 != gridDim.x) return;
  __threadfence();
  for (long long i = threadIdx.x; i < rows * cols; i += 32) {
    y[i] = y_t(static_cast<volatile y_t*>(y)[i] / static_cast<volatile float*>(sums)[i / cols]);
  }
}
