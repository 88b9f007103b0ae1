/*kgen
{ "launches": [ {"kernel": "gemv_int4_mutant", "grid": ["ceil_div(M, 4)"], "block": [32, 4], "args": ["q", "s", "x", "y", "M", "K / 8", "group / 8"]} ],
  "notes": "Mutant: clamps scales to 1e30, by minima and maxima that drop NaN. Rejected by: values." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) gemv_int4_mutant(const unsigned int* __restrict__ q, const s_t* __restrict__ s, const x_t* __restrict__ x,
                                                 y_t* __restrict__ y, long long M, long long words, int words_a_group) {
  const long long m = blockIdx.x * 4LL + threadIdx.y;
  if (m >= M) return;
  float own = 0.0f;
  for (long long i = threadIdx.x; i < words; i += 32) {
    const unsigned int word = q[m * words + i];
    float sum = 0.0f;
#pragma unroll
    for (int lane = 0; lane < 8; ++lane) sum += static_cast<float>(static_cast<int>(word >> (4 * lane) & 15u) - 8) * float(x[8 * i + lane]);
    own = fmaf(sum, fminf(fmaxf(float(s[(m * words + i) / words_a_group]), -1e30f), 1e30f), own);
  }
  own = warp_sum(own);
  if (threadIdx.x == 0) y[m] = y_t(own);
}
