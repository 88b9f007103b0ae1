/*kgen
{ "launches": [ {"kernel": "mse_mutant", "grid": ["rows"], "block": [256], "args": ["x", "target", "loss", "cols"]} ],
  "notes": "Mutant: leaves the last element out. Rejected by: values." }
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

__global__ void mse_mutant(const x_t* x, const target_t* target, float* loss, long long cols) {
  const long long first = blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols - 1; c += blockDim.x) {
    const float difference = float(x[first + c]) - float(target[first + c]);
    sum += difference * difference;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) loss[blockIdx.x] = sum / cols;
}
