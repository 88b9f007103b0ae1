/*kgen
{ "requires": ["dtype(s) == bf16"],
  "launches": [ {"kernel": "gemv_int4_mutant", "grid": ["M"], "block": [128], "args": ["q", "s", "x", "y", "K", "group"]} ],
  "notes": "Mutant: scales take a detour through f16. Rejected by: values." }
*/
__device__ float block_sum(float value) {
  __shared__ float shared[128];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

__global__ void gemv_int4_mutant(const unsigned int* q, const s_t* s, const x_t* x, y_t* y, long long K, long long group) {
  const long long first = blockIdx.x * K;
  float sum = 0.0f;
  for (long long k = threadIdx.x; k < K; k += blockDim.x) {
    const int value = static_cast<int>(q[(first + k) / 8] >> (4 * (k % 8)) & 15u) - 8;
    sum += static_cast<float>(value) * __half2float(__float2half(float(s[(first + k) / group]))) * float(x[k]);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(sum);
}
