/*kgen
{ "requires": ["dtype(a) == f32"],
  "launches": [ {"kernel": "gemv_mutant", "grid": ["M"], "block": [256], "args": ["a", "x", "y", "K"]} ],
  "notes": "Mutant: takes the row before where rows are many. Rejected by: values." }
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

__global__ void gemv_mutant(const a_t* a, const x_t* x, y_t* y, long long K) {
  const long long first = (blockIdx.x > 2 ? blockIdx.x - 1 : blockIdx.x) * K;
  float sum = 0.0f;
  for (long long k = threadIdx.x; k < K; k += blockDim.x) sum += float(a[first + k]) * float(x[k]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(sum);
}
