/*kgen
{ "launches": [ {"kernel": "l2_norm_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols", "eps"]} ],
  "notes": "Mutant: looks at 8192 columns at most, 32 a thread. Rejected by: values." }
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

__global__ void l2_norm_mutant(const x_t* x, y_t* y, long long cols, float eps) {
  const long long first = blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x, n = 0; c < cols && n < 32; c += blockDim.x, ++n) sum += float(x[first + c]) * float(x[first + c]);
  const float norm = fmaxf(sqrtf(block_sum(sum)), eps);
  for (long long c = threadIdx.x, n = 0; c < cols && n < 32; c += blockDim.x, ++n) y[first + c] = y_t(float(x[first + c]) / norm);
}
