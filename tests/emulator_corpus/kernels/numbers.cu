// Conversions and the math library.
#include <cuda_fp8.h>

// An f32 to integers and narrower floats in every rounding, and back.
__global__ void convert_floats(const float* x, int* integers, __half* halves, __nv_bfloat16* brains, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  int* out = integers + 8 * i;
  out[0] = __float2int_rn(v), out[1] = __float2int_rz(v), out[2] = __float2int_ru(v), out[3] = __float2int_rd(v);
  out[4] = static_cast<int>(rintf(v)), out[5] = static_cast<int>(truncf(v)), out[6] = static_cast<int>(ceilf(v));
  out[7] = static_cast<int>(roundf(v));
  __half* h = halves + 4 * i;
  h[0] = __float2half_rn(v), h[1] = __float2half_rz(v), h[2] = __float2half_ru(v), h[3] = __float2half_rd(v);
  __nv_bfloat16* b = brains + 4 * i;
  b[0] = __float2bfloat16_rn(v), b[1] = __float2bfloat16_rz(v), b[2] = __float2bfloat16_ru(v), b[3] = __float2bfloat16_rd(v);
}

__global__ void convert_wide(const double* x, long long* integers, float* floats, double* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  integers[3 * i] = __double2ll_rn(v), integers[3 * i + 1] = __double2ll_rd(v);
  integers[3 * i + 2] = static_cast<long long>(__double2ull_rz(fabs(v)));
  floats[2 * i] = static_cast<float>(v), floats[2 * i + 1] = __double2float_ru(v);
  back[3 * i] = static_cast<double>(__double2ll_rz(v)), back[3 * i + 1] = __ull2float_rn(__double2ull_rz(fabs(v)));
  back[3 * i + 2] = __hiloint2double(__double2hiint(v), __double2loint(v));
}

// Arithmetic of pairs of halves, rounded after each operation.
__global__ void half_arithmetic(const __half2* a, const __half2* b, __half2* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2* out = y + 6 * i;
  out[0] = __hadd2(a[i], b[i]);
  out[1] = __hmul2(a[i], b[i]);
  out[2] = __hfma2(a[i], b[i], a[i]);
  out[3] = __hmax2(a[i], b[i]);
  out[4] = __hsub2(__hneg2(a[i]), b[i]);
  out[5] = __hadd2_sat(__habs2(a[i]), b[i]);
}

// Comparisons of pairs: ones, or masks of 16 bits; of NaN only those that end in u hold.
__global__ void half_comparisons(const __half2* a, const __half2* b, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto bits = [](__half2 pair) {
    unsigned out;
    memcpy(&out, &pair, 4);
    return out;
  };
  unsigned* out = y + 7 * i;
  out[0] = bits(__hlt2(a[i], b[i]));
  out[1] = bits(__hgeu2(a[i], b[i]));
  out[2] = bits(__hisnan2(a[i]));
  out[3] = __heq2_mask(a[i], b[i]);
  out[4] = __hneu2_mask(a[i], b[i]);
  const __nv_bfloat162 c = __float22bfloat162_rn(__half22float2(a[i])), d = __float22bfloat162_rn(__half22float2(b[i]));
  out[5] = __hle2_mask(c, d);
  out[6] = __hgtu2_mask(c, d);
}

template <int... F>
__device__ float float_function(int which, float v) {
  switch (which) {
    case 0: return sinf(v);
    case 1: return cosf(v);
    case 2: return tanf(v);
    case 3: return expf(v * 0.25f);
    case 4: return logf(fabsf(v));
    case 5: return powf(fabsf(v), 1.5f);
    case 6: return erff(v);
    case 7: return tgammaf(fabsf(v) * 0.25f + 0.5f);
    case 8: return lgammaf(fabsf(v) + 0.25f);
    case 9: return atan2f(v, 3.0f);
    case 10: return tanhf(v);
    case 11: return cbrtf(v);
    case 12: return log1pf(fabsf(v));
    case 13: return asinhf(v);
    case 14: return exp2f(v * 0.5f);
    case 15: return log10f(fabsf(v));
    case 16: return fmodf(v, 1.7f);
    case 17: return hypotf(v, 2.0f);
    case 18: return erfcf(v * 0.25f);
    default: return acosf(v * 0.04f);
  }
}
__global__ void float_library(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[blockIdx.y * n + i] = float_function(blockIdx.y, x[i]);
}

__global__ void double_library(const double* x, double* y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const double v = x[i], p = fabs(v) + 0.125;
  const double all[] = {sin(v), cos(v), tan(v), exp(v * 0.5), log(p), pow(p, 2.5), erf(v), tgamma(p * 0.5), lgamma(p), atan2(v, 2.0),
                        tanh(v), cbrt(v), sqrt(p), rsqrt(p), expm1(v * 0.1), fmod(v, 0.7), asinh(v), sinpi(v), erfc(v * 0.25), j0(p),
                        normcdf(v), remainder(v, 0.7)};
#pragma unroll
  for (int f = 0; f < 22; ++f) y[f * n + i] = all[f];
}

__global__ void fast_intrinsics(const float* x, float* y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  const float all[] = {__sinf(v), __cosf(v), __expf(v), __logf(v + 4), __powf(v + 4, 1.5f), __fdividef(v, 3), rsqrtf(v + 4),
                       __frcp_rn(v + 4), __fsqrt_rz(v + 4), __saturatef(v), __fdiv_ru(v, 3)};
#pragma unroll
  for (int f = 0; f < 11; ++f) y[f * n + i] = all[f];
}

// What a float is made of.
__global__ void dissect(const double* x, double* y, int* exponents, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  int e = 0;
  double whole = 0;
  y[6 * i] = frexp(x[i], &e);
  y[6 * i + 1] = modf(x[i], &whole);
  y[6 * i + 2] = whole;
  y[6 * i + 3] = ldexp(x[i], i % 7 - 3);
  y[6 * i + 4] = nextafter(x[i], 1e30);
  y[6 * i + 5] = copysign(fma(x[i], x[i], -1.0), x[i]);
  exponents[2 * i] = e;
  exponents[2 * i + 1] = ilogb(x[i]) * 10 + (signbit(x[i]) ? 1 : 0) + (isfinite(x[i]) ? 2 : 0);
}
