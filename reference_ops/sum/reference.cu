/*kgen
{ "launches": [ {"kernel": "sum_reference", "grid": ["rows"], "block": [256], "args": ["x", "y", "y_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. y and y_scale are double here." }
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

__global__ void sum_reference(const x_t* x, double* y, double* y_scale, long long cols) {
  const long long first = blockIdx.x * cols;
  double sum = 0.0, magnitude = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    sum += value;
    magnitude += fabs(value);
  }
  sum = block_sum(sum);
  magnitude = block_sum(magnitude);
  if (threadIdx.x == 0) y[blockIdx.x] = sum, y_scale[blockIdx.x] = magnitude;
}
