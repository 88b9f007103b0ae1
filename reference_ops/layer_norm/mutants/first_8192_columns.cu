/*kgen
{ "launches": [ {"kernel": "layer_norm_mutant", "grid": ["rows"], "block": [256], "args": ["x", "w", "b", "y", "cols", "eps"]} ],
  "notes": "Mutant: looks at 8192 columns at most, 32 a thread. Rejected by: values." }
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
  for (long long c = threadIdx.x, n = 0; c < cols && n < 32; c += blockDim.x, ++n) sum += float(x[first + c]);
  const float mean = block_sum(sum) / cols;
  float squares = 0.0f;
  for (long long c = threadIdx.x, n = 0; c < cols && n < 32; c += blockDim.x, ++n) squares += (float(x[first + c]) - mean) * (float(x[first + c]) - mean);
  const float scale = rsqrtf(block_sum(squares) / cols + eps);
  for (long long c = threadIdx.x, n = 0; c < cols && n < 32; c += blockDim.x, ++n) y[first + c] = y_t((float(x[first + c]) - mean) * scale * float(w[c]) + float(b[c]));
}
