/*kgen
{ "requires": ["dtype(x) == f32"],
  "launches": [ {"kernel": "mean_variance_mutant", "grid": ["rows"], "block": [256], "args": ["x", "mean", "variance", "cols"]} ],
  "notes": "Mutant: deviates from the mean rounded to bf16. Rejected by: values." }
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

__global__ void mean_variance_mutant(const x_t* x, float* mean, float* variance, long long cols) {
  const long long first = blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += float(x[first + c]);
  const float m = block_sum(sum) / cols;
  float squares = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) squares += (float(x[first + c]) - float(__nv_bfloat16(m))) * (float(x[first + c]) - float(__nv_bfloat16(m)));
  squares = block_sum(squares);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = m;
    variance[blockIdx.x] = squares / cols;
  }
}
