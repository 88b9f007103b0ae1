// Between wide and narrow numbers.
#include <cuda_fp8.h>

__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

// A warp a row: scale = absmax / 127, nearest even.
__global__ void quantize_int8(const float* x, signed char* q, float* scales, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  float largest = 0;
  for (int c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, fabsf(x[row * cols + c]));
  const float scale = warp_max(largest) / 127.0f;
  if (threadIdx.x == 0) scales[row] = scale;
  for (int c = threadIdx.x; c < cols; c += 32) {
    const int value = scale == 0.0f ? 0 : __float2int_rn(__fdiv_rn(x[row * cols + c], scale));
    q[row * cols + c] = static_cast<signed char>(max(-127, min(127, value)));
  }
}

__global__ void dequantize_int8(const char4* q, const float* scales, float4* x, int quads, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float scale = scales[i / quads];
  const char4 v = q[i];
  x[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
}

__global__ void quantize_fp8(const float* x, __nv_fp8_e4m3* q, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = __nv_fp8_e4m3(x[i] * scale);
}

__global__ void fp8_to_half(const __nv_fp8x4_e4m3* q, float4* x, const __nv_fp8_e5m2* p, __half* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = static_cast<float4>(q[i]);
  for (int j = 0; j < 4; ++j) y[4 * i + j] = static_cast<__half>(p[4 * i + j]);
}

__global__ void quantize_e5m2(const __half* x, __nv_fp8_storage_t* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = __nv_cvt_halfraw_to_fp8(x[i], __NV_SATFINITE, __NV_E5M2);
}

// Eight values of four bits a word, groups of 32 with scale and zero point.
__global__ void quantize_int4(const float* x, unsigned* q, float* scales, int* zeros, int groups) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  const float* mine = x + group * 32;
  float low = mine[0], high = mine[0];
  for (int i = 1; i < 32; ++i) low = fminf(low, mine[i]), high = fmaxf(high, mine[i]);
  const float scale = (high - low) / 15.0f;
  const int zero = __float2int_rn(-low / scale);
  for (int w = 0; w < 4; ++w) {
    unsigned word = 0;
    for (int i = 0; i < 8; ++i) {
      const int value = min(max(__float2int_rn(mine[w * 8 + i] / scale) + zero, 0), 15);
      word |= static_cast<unsigned>(value) << (4 * i);
    }
    q[group * 4 + w] = word;
  }
  scales[group] = scale;
  zeros[group] = zero;
}

// y = W x of four-bit weights, one warp a row; a word of eight a lane.
__global__ void int4_gemv(const unsigned* q, const float* scales, const int* zeros, const __half* x, float* y, int cols) {
  const int row = blockIdx.x;
  float sum = 0;
  for (int w = threadIdx.x; w < cols / 8; w += 32) {
    const int group = (row * cols + w * 8) / 32;
    const unsigned word = q[row * cols / 8 + w];
    float part = 0;
    for (int i = 0; i < 8; ++i)
      part += static_cast<float>(static_cast<int>(word >> (4 * i) & 15) - zeros[group]) * __half2float(x[w * 8 + i]);
    sum += part * scales[group];
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x == 0) y[row] = sum;
}

// int8 product with four multiplications an instruction; b is transposed.
__global__ void int8_matmul(const int* a, const int* b, int* c, int n, int words) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (col >= n) return;
  int sum = 0;
  for (int w = 0; w < words; ++w) sum = __dp4a(a[row * words + w], b[col * words + w], sum);
  c[row * n + col] = sum;
}

// Microscaling: 32 values share a power of two, so that the largest magnitude lies in [256, 512) of e4m3.
__global__ void quantize_blocks(const __nv_bfloat16* x, unsigned char* q, signed char* exponents) {
  const int block = blockIdx.x, i = block * 32 + threadIdx.x;
  const float value = __bfloat162float(x[i]);
  const float largest = warp_max(fabsf(value));
  const int exponent = largest == 0 ? 0 : ilogbf(largest) - 8;
  q[i] = __nv_cvt_float_to_fp8(scalbnf(value, -exponent), __NV_SATFINITE, __NV_E4M3);
  if (threadIdx.x == 0) exponents[block] = exponent;
}

// Stochastic rounding to bf16 with the bits of a counter-based generator.
__global__ void round_stochastically(const float* x, unsigned short* y, unsigned seed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = i * 0x9e3779b9u ^ seed;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  y[i] = static_cast<unsigned short>((__float_as_uint(x[i]) + ((h ^ h >> 16) & 0xffff)) >> 16);
}
