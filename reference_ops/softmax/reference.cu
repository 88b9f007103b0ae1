/*kgen
{ "launches": [ {"kernel": "softmax_reference", "grid": ["rows"], "block": [256],
                 "args": ["x", "y", "y_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row, three passes. y and y_scale are double here." }
*/
__device__ double block_reduce(double value, bool maximum) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const double other = shared[threadIdx.x + half];
      shared[threadIdx.x] = maximum ? fmax(shared[threadIdx.x], other) : shared[threadIdx.x] + other;
    }
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

__global__ void softmax_reference(const x_t* x, double* y, double* y_scale, long long cols) {
  const long long first = static_cast<long long>(blockIdx.x) * cols;
  double largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    largest = fmax(largest, static_cast<double>(static_cast<float>(x[first + c])));
  }
  largest = block_reduce(largest, true);
  double sum = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    sum += exp(static_cast<double>(static_cast<float>(x[first + c])) - largest);
  }
  sum = block_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest;
    const double value = exp(shifted) / sum;
    y[first + c] = value;
    y_scale[first + c] = isfinite(shifted) ? value * (1.0 + fabs(shifted)) : value;
  }
}
