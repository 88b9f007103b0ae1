/*kgen
{ "launches": [ {"kernel": "quantise_fp8_reference", "grid": ["rows"], "block": [256], "args": ["x", "q", "s", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. q, before its rounding, and s are double here." }
*/
__device__ double block_maximum(double value) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmax(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

__global__ void quantise_fp8_reference(const x_t* x, double* q, double* s, long long cols) {
  const long long first = blockIdx.x * cols;
  double largest = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x)
    largest = fmax(largest, fabs(static_cast<double>(static_cast<float>(x[first + c]))));
  largest = block_maximum(largest);
  if (threadIdx.x == 0) s[blockIdx.x] = largest / 448.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x)
    q[first + c] = largest > 0.0 ? static_cast<double>(static_cast<float>(x[first + c])) * 448.0 / largest : 0.0;
}
