/*kgen
{ "launches": [ {"kernel": "log_softmax_reference", "grid": ["rows"], "block": [256], "args": ["x", "y", "y_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. y and y_scale are double here." }
*/
__device__ double block_maximum(double value) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmax(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

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

__global__ void log_softmax_reference(const x_t* x, double* y, double* y_scale, long long cols) {
  const long long first = blockIdx.x * cols;
  double largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmax(largest, static_cast<double>(static_cast<float>(x[first + c])));
  largest = block_maximum(largest);
  double sum = 0.0, spread = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest, weight = exp(shifted);
    sum += weight;
    if (weight > 0.0) spread += weight * fabs(shifted);
  }
  sum = block_sum(sum);
  spread = block_sum(spread);
  const double log_sum = log(sum), growth = cols <= 1 ? 0.0 : fmin(static_cast<double>(cols), 4.0 * sqrt(static_cast<double>(cols)));
  const double of_sum = growth + 6.0 + 3.0 * spread / sum + 2.0 * fabs(log_sum);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest, value = shifted - log_sum;
    y[first + c] = value;
    y_scale[first + c] = of_sum + 2.0 * fabs(shifted) + fabs(value);
  }
}
