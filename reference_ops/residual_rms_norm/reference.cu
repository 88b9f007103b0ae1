/*kgen
{ "launches": [ {"kernel": "residual_rms_norm_reference", "grid": ["rows"], "block": [256],
                 "args": ["x", "residual", "w", "residual_after", "y", "cols", "eps"]} ],
  "notes": "Naive fp64 oracle: one block a row. residual holds the values before; residual_after and y are double here." }
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

__global__ void residual_rms_norm_reference(const x_t* x, const residual_t* residual, const w_t* w, double* residual_after, double* y,
                                            long long cols, double eps) {
  const long long first = blockIdx.x * cols;
  double squares = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double h = static_cast<double>(static_cast<float>(x[first + c])) + static_cast<double>(static_cast<float>(residual[first + c]));
    residual_after[first + c] = h;
    squares += h * h;
  }
  const double factor = 1.0 / sqrt(block_sum(squares) / static_cast<double>(cols) + eps);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x)
    y[first + c] = residual_after[first + c] * factor * static_cast<double>(static_cast<float>(w[c]));
}
