/*kgen
{ "launches": [ {"kernel": "gemv_reference", "grid": ["M"], "block": [256], "args": ["a", "x", "y", "y_scale", "K"]} ],
  "notes": "Naive fp64 oracle: one block a row. y and y_scale (|a||x|) are double here." }
*/
__device__ double block_sum(double value) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

__global__ void gemv_reference(const a_t* a, const x_t* x, double* y, double* y_scale, long long K) {
  const long long first = blockIdx.x * K;
  double sum = 0.0, magnitude = 0.0;
  for (long long k = threadIdx.x; k < K; k += blockDim.x) {
    const double product = static_cast<double>(static_cast<float>(a[first + k])) * static_cast<double>(static_cast<float>(x[k]));
    sum += product;
    magnitude += fabs(product);
  }
  sum = block_sum(sum);
  magnitude = block_sum(magnitude);
  if (threadIdx.x == 0) y[blockIdx.x] = sum, y_scale[blockIdx.x] = magnitude;
}
