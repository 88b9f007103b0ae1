/*kgen
{ "launches": [ {"kernel": "gemv_int4", "grid": ["ceil_div(M, 4)"], "block": [32, 4], "args": ["q", "s", "x", "y", "M", "K", "group"]} ],
  "notes": "Mutant: counts groups from the begin of a piece of 4096 elements. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) gemv_int4(const unsigned int* __restrict__ q, const s_t* __restrict__ s, const x_t* __restrict__ x,
                                                 y_t* __restrict__ y, long long M, long long K, int group) {
  __shared__ float piece[4096];
  const long long m = blockIdx.x * 4LL + threadIdx.y;
  float own = 0.0f;
  for (long long first = 0; first < K; first += 4096) {
    const int count = static_cast<int>(min(4096LL, K - first));
    __syncthreads();
    for (int k = threadIdx.y * 32 + threadIdx.x; k < count; k += 128) piece[k] = float(x[first + k]);
    __syncthreads();
    if (m >= M) continue;
    const unsigned int* const words = q + (m * K + first) / 8;
    const s_t* const scales = s + m * (K / group) + first / group;
    for (int i = threadIdx.x; i < count / 8; i += 32) {
      const unsigned int word = words[i];
      float sum = 0.0f;
#pragma unroll
      for (int lane = 0; lane < 8; ++lane) sum += static_cast<float>(static_cast<int>(word >> (4 * lane) & 15u) - 8) * piece[8 * i + lane];
      own = fmaf(sum, float(scales[8 * i / group]), own);
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_xor_sync(0xffffffffu, own, offset);
  if (threadIdx.x == 0 && m < M) y[m] = y_t(own);
}
