/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "cross_entropy_mutant", "grid": ["rows"], "block": [256], "args": ["x", "target", "loss", "cols"]} ],
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

__global__ void cross_entropy_mutant(const x_t* x, const int* target, float* loss, long long cols) {
  const long long first = blockIdx.x * cols;
  float largest = -1e30f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmaxf(largest, float(x[first + c]));
  largest = block_maximum(largest);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(float(x[first + c]) - largest);
  const float log_sum = logf(block_sum(sum));
  if (threadIdx.x == 0) loss[blockIdx.x] = log_sum - (float(x[first + target[blockIdx.x]]) - largest);
}
