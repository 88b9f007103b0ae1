/*kgen
{ "requires": ["dtype(x) == bf16"],
  "launches": [ {"kernel": "cross_entropy_backward_mutant", "grid": ["rows"], "block": [256], "args": ["x", "target", "g", "dx", "cols"]} ],
  "notes": "Mutant: takes the first row's g. Rejected by: values." }
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

__global__ void cross_entropy_backward_mutant(const x_t* x, const int* target, const float* g, dx_t* dx, long long cols) {
  const long long first = blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmaxf(largest, float(x[first + c]));
  largest = block_maximum(largest);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(float(x[first + c]) - largest);
  sum = block_sum(sum);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const float p = expf(float(x[first + c]) - largest) / sum;
    dx[first + c] = dx_t(g[0] * (p - (c == target[blockIdx.x] ? 1.0f : 0.0f)));
  }
}
