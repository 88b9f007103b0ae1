/*kgen
{ "launches": [ {"kernel": "rms_norm_reference", "grid": ["rows"], "block": [256], "args": ["x", "w", "y", "cols", "eps"]} ],
  "notes": "Naive fp64 oracle: one block a row, two passes. y is double here." }
*/
__global__ void rms_norm_reference(const x_t* x, const w_t* w, double* y, long long cols, double eps) {
  __shared__ double shared[256];
  const long long first = static_cast<long long>(blockIdx.x) * cols;
  double sum = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    sum += value * value;
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const double root = sqrt(shared[0] / static_cast<double>(cols) + eps);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    y[first + c] = static_cast<double>(static_cast<float>(x[first + c])) / root * static_cast<double>(static_cast<float>(w[c]));
  }
}
