/*kgen
{ "defines": {"PACKED": "cols % 4 == 0"},
  "launches": [ {"kernel": "per_token_quant_fp8", "grid": ["rows"], "block": [128], "args": ["x", "q", "s", "cols"]} ],
  "notes": "A block a row; __nv_cvt_float_to_fp8 with saturation, four results a store where rows are whole words." }
*/
#include <cuda_fp8.h>
__global__ void __launch_bounds__(128)
    per_token_quant_fp8(const x_t* __restrict__ x, q_t* __restrict__ q, s_t* __restrict__ s, long long cols) {
  __shared__ float part[4];
  const x_t* row = x + blockIdx.x * cols;
  float m = 0.f;
  for (long long i = threadIdx.x; i < cols; i += 128) m = fmaxf(m, fabsf(float(row[i])));
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_down_sync(0xffffffffu, m, o));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = m;
  __syncthreads();
  m = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  const float scale = m / 448.f;
  if (threadIdx.x == 0) s[blockIdx.x] = scale;
  unsigned char* out = reinterpret_cast<unsigned char*>(q) + blockIdx.x * cols;
  auto one = [&](float v) -> unsigned {
    return scale == 0.f ? 0u : (unsigned)__nv_cvt_float_to_fp8(v / scale, __NV_SATFINITE, __NV_E4M3);
  };
  if (PACKED) {
    for (long long i = threadIdx.x; i < cols / 4; i += 128) {
      unsigned r = 0;
#pragma unroll
      for (int j = 0; j < 4; ++j) r |= one(float(row[4 * i + j])) << (8 * j);
      reinterpret_cast<unsigned*>(out)[i] = r;
    }
  } else {
    for (long long i = threadIdx.x; i < cols; i += 128) out[i] = (unsigned char)one(float(row[i]));
  }
}
