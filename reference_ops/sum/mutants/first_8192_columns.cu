/*kgen
{ "launches": [ {"kernel": "sum_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "Mutant: adds up 8192 columns at most, 32 a thread. Rejected by: values." }
*/
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

__global__ void sum_mutant(const x_t* x, y_t* y, long long cols) {
  const long long first = blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x, n = 0; c < cols && n < 32; c += blockDim.x, ++n) sum += float(x[first + c]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(sum);
}
