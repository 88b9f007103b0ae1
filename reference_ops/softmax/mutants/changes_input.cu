/*kgen
{ "launches": [ {"kernel": "softmax_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "Mutant: scales its input in place. Rejected by: inputs." }
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
  sum = block_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 256) out[c] = y_t(expf(float(row[c]) - largest) / sum);
  if (threadIdx.x == 0) const_cast<x_t*>(row)[0] = x_t(float(row[0]) + 1.0f);
}
