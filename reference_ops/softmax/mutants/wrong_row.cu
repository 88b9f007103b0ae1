/*kgen
{ "launches": [ {"kernel": "softmax_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "Mutant: normalises by the sum of another row. Rejected by: values." }
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
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 256) largest = fmaxf(largest, float(row[c]));
  largest = block_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) sum += expf(float(row[c]) - largest);
  sum = block_reduce(sum, false) * (1.0f + (blockIdx.x % 7 == 6) * 0.01f);
  for (long long c = threadIdx.x; c < cols; c += 256) out[c] = y_t(expf(float(row[c]) - largest) / sum);
}
