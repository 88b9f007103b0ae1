/*kgen
{ "requires": ["dtype(x) == f16"],
  "launches": [ {"kernel": "residual_rms_norm_mutant", "grid": ["rows"], "block": [256], "args": ["x", "residual", "w", "y", "cols", "eps"]} ],
  "notes": "Mutant: leaves the weights out. Rejected by: values." }
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

__global__ void residual_rms_norm_mutant(const x_t* x, residual_t* residual, const w_t* w, y_t* y, long long cols, float eps) {
  const long long first = blockIdx.x * cols;
  float squares = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const float h = float(x[first + c]) + float(residual[first + c]);
    squares += h * h;
  }
  const float factor = rsqrtf(block_sum(squares) / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const float h = float(x[first + c]) + float(residual[first + c]);
    residual[first + c] = residual_t(h);
    y[first + c] = y_t(h * factor);
  }
}
