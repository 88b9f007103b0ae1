/*kgen
{ "launches": [ {"kernel": "w4_gemv", "grid": ["M"], "block": [64], "args": ["q", "s", "x", "y", "K", "group"]} ],
  "notes": "A row a block of two warps; nibbles become floats by the magic number 2^23, the scale is applied to each weight in f32." }
*/
__device__ __forceinline__ float nib(unsigned w, int i) {
  return __uint_as_float(0x4B000000u | ((w >> (4 * i)) & 0xFu)) - 8388616.0f;
}
__global__ void __launch_bounds__(64)
    w4_gemv(const uint32_t* __restrict__ q, const s_t* __restrict__ s, const x_t* __restrict__ x,
            y_t* __restrict__ y, int64_t K, int64_t group) {
  const int64_t m = blockIdx.x, words = K / 8;
  const uint32_t* qr = q + m * words;
  const s_t* sr = s + m * (K / group);
  float a0 = 0.f, a1 = 0.f;
  for (int64_t i = threadIdx.x; i < words; i += 64) {
    const uint32_t w = __ldg(qr + i);
    const float sc = float(sr[i * 8 / group]);
    const x_t* xp = x + i * 8;
#pragma unroll
    for (int j = 0; j < 8; j += 2) {
      a0 = fmaf(nib(w, j) * sc, float(xp[j]), a0);
      a1 = fmaf(nib(w, j + 1) * sc, float(xp[j + 1]), a1);
    }
  }
  float acc = a0 + a1;
  for (int o = 16; o; o >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, o);
  __shared__ float other;
  if (threadIdx.x == 32) other = acc;
  __syncthreads();
  if (threadIdx.x == 0) y[m] = y_t(acc + other);
}
