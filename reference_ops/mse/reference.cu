/*kgen
{ "launches": [ {"kernel": "mse_reference", "grid": ["rows"], "block": [256], "args": ["x", "target", "loss", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. loss is double here." }
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

__global__ void mse_reference(const x_t* x, const target_t* target, double* loss, long long cols) {
  const long long first = blockIdx.x * cols;
  double sum = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double difference = static_cast<double>(static_cast<float>(x[first + c])) - static_cast<double>(static_cast<float>(target[first + c]));
    sum += difference * difference;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) loss[blockIdx.x] = sum / static_cast<double>(cols);
}
