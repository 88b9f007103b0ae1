/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "quantise_int8_mutant", "grid": ["rows"], "block": [256], "args": ["x", "q", "s", "cols"]} ],
  "notes": "Mutant: holds the maximum of a row above 1e-8. Rejected by: values." }
*/
__device__ float block_maximum(float value) {
  __shared__ float shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  return shared[0];
}

__global__ void quantise_int8_mutant(const x_t* x, q_t* q, s_t* s, long long cols) {
  const long long first = blockIdx.x * cols;
  float largest = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmaxf(largest, fabsf(float(x[first + c])));
  const float top = block_maximum(largest); const float scale = top > 0.0f ? fmaxf(top, 1e-8f) / 127.0f : 0.0f;
  if (threadIdx.x == 0) s[blockIdx.x] = scale;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x)
    q[first + c] = scale > 0.0f ? static_cast<q_t>(rintf(float(x[first + c]) / scale)) : 0;
}
