/*kgen
{ "launches": [ {"kernel": "rms_norm_mutant", "grid": ["rows"], "block": [256], "args": ["x", "w", "y", "cols", "eps"]} ],
  "notes": "Mutant: leaves the weights out. Rejected by: values." }
*/
__global__ void rms_norm_mutant(const x_t* x, const w_t* w, y_t* y, long long cols, float eps) {
  __shared__ float shared[256];
  const x_t* row = x + blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += float(row[c]) * float(row[c]);
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = shared[threadIdx.x] + shared[threadIdx.x + half];
    __syncthreads();
  }
  const float scale = rsqrtf(shared[0] / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    y[blockIdx.x * cols + c] = y_t(float(row[c]) * scale);
  }
}
