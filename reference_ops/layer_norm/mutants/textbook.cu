/*kgen
{ "launches": [ {"kernel": "layer_norm_mutant", "grid": ["rows"], "block": [256], "args": ["x", "w", "b", "y", "cols", "eps"]} ],
  "notes": "Mutant: E[x^2] - mean^2. Rejected by: values." }
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

__global__ void layer_norm_mutant(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long cols, float eps) {
  const long long first = blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += float(x[first + c]);
  const float mean = block_sum(sum) / cols;
  float squares = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) squares += float(x[first + c]) * float(x[first + c]);
  const float scale = rsqrtf(block_sum(squares) / cols - mean * mean + eps);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) y[first + c] = y_t((float(x[first + c]) - mean) * scale * float(w[c]) + float(b[c]));
}
