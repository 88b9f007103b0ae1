/*kgen
{ "launches": [ {"kernel": "per_token_quant_int8", "grid": ["rows"], "block": [256], "args": ["x", "q", "s", "cols"]} ],
  "notes": "Per-token quantisation as serving engines write it: scale = amax / 127, q = rint(x / scale), clamped." }
*/
__global__ void __launch_bounds__(256) per_token_quant_int8(const x_t* __restrict__ x, q_t* __restrict__ q,
                                                            float* __restrict__ s, int64_t cols) {
  __shared__ float red[8];
  __shared__ float s_amax;
  const int64_t base = blockIdx.x * cols;
  float amax = 0.f;
  for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) amax = fmaxf(amax, fabsf(float(x[base + i])));
  for (int o = 16; o; o >>= 1) amax = fmaxf(amax, __shfl_xor_sync(~0u, amax, o));
  if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = amax;
  __syncthreads();
  if (threadIdx.x < 32) {
    amax = threadIdx.x < 8 ? red[threadIdx.x] : 0.f;
    for (int o = 4; o; o >>= 1) amax = fmaxf(amax, __shfl_xor_sync(~0u, amax, o));
    if (threadIdx.x == 0) s_amax = amax;
  }
  __syncthreads();
  amax = s_amax;
  const float scale = amax / 127.0f;
  if (threadIdx.x == 0) s[blockIdx.x] = scale;
  for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) {
    float v = scale > 0.f ? float(x[base + i]) / scale : 0.f;
    v = fminf(fmaxf(rintf(v), -127.f), 127.f);
    q[base + i] = (q_t)(int)v;
  }
}
