/*kgen
{ "launches": [ {"kernel": "gemv_mutant", "grid": ["M"], "block": [256], "args": ["a", "x", "y", "K"]} ],
  "notes": "Mutant: leaves out columns whose factor is 0: an infinity times 0 is NaN. Rejected by: values." }
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
  const long long first = blockIdx.x * K;
  float sum = 0.0f;
  for (long long k = threadIdx.x; k < K; k += blockDim.x) if (float(x[k]) != 0.0f) sum += float(a[first + k]) * float(x[k]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(sum);
}
