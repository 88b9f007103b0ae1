/*kgen
{ "launches": [ {"kernel": "l2_norm_reference", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols", "eps"]} ],
  "notes": "Naive fp64 oracle: one block a row. y is double here." }
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

__global__ void l2_norm_reference(const x_t* x, double* y, long long cols, double eps) {
  const long long first = blockIdx.x * cols;
  double sum = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += static_cast<double>(static_cast<float>(x[first + c])) * static_cast<double>(static_cast<float>(x[first + c]));
  const double norm = fmax(sqrt(block_sum(sum)), eps);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) y[first + c] = static_cast<double>(static_cast<float>(x[first + c])) / norm;
}
