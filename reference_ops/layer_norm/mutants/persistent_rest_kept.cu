/*kgen
{ "launches": [ {"kernel": "layer_norm_mutant", "grid": ["min(rows, 132)"], "block": [256], "args": ["x", "w", "b", "y", "rows", "cols", "eps"]} ],
  "notes": "Mutant: 132 blocks go from row to row and begin the sum of what lies behind the first 256 columns only once. Rejected by: values." }
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

__global__ void layer_norm_mutant(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long rows, long long cols, float eps) {
  float rest = 0.0f;
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const long long first = row * cols;
    const float head = threadIdx.x < cols ? float(x[first + threadIdx.x]) : 0.0f;
    for (long long c = 256 + threadIdx.x; c < cols; c += 256) rest += float(x[first + c]);
    const float mean = block_sum(head + rest) / cols;
    float squares = 0.0f;
    for (long long c = threadIdx.x; c < cols; c += 256) squares += (float(x[first + c]) - mean) * (float(x[first + c]) - mean);
    const float scale = rsqrtf(block_sum(squares) / cols + eps);
    for (long long c = threadIdx.x; c < cols; c += 256) y[first + c] = y_t((float(x[first + c]) - mean) * scale * float(w[c]) + float(b[c]));
  }
}
