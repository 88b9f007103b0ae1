/*kgen
{ "launches": [ {"kernel": "mean_variance_reference", "grid": ["rows"], "block": [256], "args": ["x", "mean", "variance", "mean_scale", "variance_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. Outputs are double here." }
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

__global__ void mean_variance_reference(const x_t* x, double* mean, double* variance, double* mean_scale, double* variance_scale,
                                        long long cols) {
  const long long first = blockIdx.x * cols;
  const double count = static_cast<double>(cols);
  double sum = 0.0, magnitude = 0.0, squares = 0.0, deviations = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    sum += value;
    magnitude += fabs(value);
    squares += value * value;
  }
  const double m = block_sum(sum) / count;
  magnitude = block_sum(magnitude) / count;
  squares = block_sum(squares) / count;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    deviations += (value - m) * (value - m);
  }
  const double v = block_sum(deviations) / count;
  if (threadIdx.x != 0) return;
  mean[blockIdx.x] = m;
  variance[blockIdx.x] = v;
  mean_scale[blockIdx.x] = magnitude;
  const double growth = cols <= 1 ? 0.0 : fmin(count, 4.0 * sqrt(count)), mean_error = (growth + 2.0) * magnitude;
  variance_scale[blockIdx.x] = sqrt(v * squares) + 0x1p-24 * mean_error * mean_error / (growth + 6.0);
}
