/*kgen
{ "launches": [ {"kernel": "softmax_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "Mutant: writes 1 / cols everywhere. Rejected by: values." }
*/
__device__ float block_reduce(float value, bool maximum) {
  __shared__ float shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float other = shared[threadIdx.x + half];
      shared[threadIdx.x] = maximum ? fmaxf(shared[threadIdx.x], other) : shared[threadIdx.x] + other;
    }
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

__global__ void softmax_mutant(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  y_t* out = y + blockIdx.x * cols;
  for (long long c = threadIdx.x; c < cols; c += 256) out[c] = y_t(1.0f / cols);
}
