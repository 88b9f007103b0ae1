/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "log_softmax_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "Mutant: the maximum begins at -1e30. Rejected by: values." }
*/
__device__ float block_maximum(float value) {
  __shared__ float shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

__device__ float block_sum(float value) {
  __shared__ float shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

__global__ void log_softmax_mutant(const x_t* x, y_t* y, long long cols) {
  const long long first = blockIdx.x * cols;
  float largest = -1e30f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmaxf(largest, float(x[first + c]));
  largest = block_maximum(largest);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(float(x[first + c]) - largest);
  const float log_sum = logf(block_sum(sum));
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) y[first + c] = y_t(float(x[first + c]) - largest - log_sum);
}
