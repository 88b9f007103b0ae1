/*kgen
{ "requires": ["K <= 8192"],
  "tunables": {"WARPS": [4, 8]}, "defaults": {"WARPS": 4},
  "launches": [ {"kernel": "gemv_int4", "grid": ["ceil_div(M, WARPS)"], "block": [32, "WARPS"], "dynamic_shared_bytes": "K * 4",
                 "args": ["q", "s", "x", "y", "M", "K", "group"]} ],
  "notes": "The vector as f32 in shared memory for the rows of a block; weights as q s - 8 s by one fused multiply-add." }
*/
__global__ void __launch_bounds__(32 * WARPS) gemv_int4(const unsigned int* __restrict__ q, const s_t* __restrict__ s, const x_t* __restrict__ x,
                                                        y_t* __restrict__ y, long long M, int K, int group) {
  extern __shared__ float vector[];
  for (int k = threadIdx.y * 32 + threadIdx.x; k < K; k += 32 * WARPS) vector[k] = float(x[k]);
  __syncthreads();
  const long long m = blockIdx.x * static_cast<long long>(WARPS) + threadIdx.y;
  if (m >= M) return;
  float own = 0.0f;
  for (int i = threadIdx.x; i < K / 8; i += 32) {
    const unsigned int word = q[m * (K / 8) + i];
    const float scale = float(s[m * (K / group) + 8 * i / group]), offset = -8.0f * scale;
#pragma unroll
    for (int lane = 0; lane < 8; ++lane) {
      const float weight = fmaf(static_cast<float>(word >> (4 * lane) & 15u), scale, offset);
      own = fmaf(weight, vector[8 * i + lane], own);
    }
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_xor_sync(0xffffffffu, own, offset);
  if (threadIdx.x == 0) y[m] = y_t(own);
}
