#pragma once
// Headers of this folder are compiled twice: by the host's compiler and by NVRTC (embedded, included once,
// without any other header). What they compute is bit for bit the same on both.
#ifdef __CUDACC_RTC__
#define KGEN_SHARED __device__ inline
#else
#include <bit>
#include <cstdint>
#include <cstring>
#define KGEN_SHARED inline
#endif

namespace kgen::judge {

using U64 = unsigned long long;
using I64 = long long;

#ifdef __CUDACC_RTC__
// The _rn forms are never contracted to a fused multiply-add.
KGEN_SHARED double times(double a, double b) {
  return __dmul_rn(a, b);
}
KGEN_SHARED double plus(double a, double b) {
  return __dadd_rn(a, b);
}
KGEN_SHARED U64 bits_of(double value) {
  return static_cast<U64>(__double_as_longlong(value));
}
KGEN_SHARED double double_of(U64 bits) {
  return __longlong_as_double(static_cast<I64>(bits));
}
KGEN_SHARED int count_ones(U64 bits) {
  return __popcll(bits);
}
#else
KGEN_SHARED double times(double a, double b) {
  return a * b;  // the build passes -ffp-contract=off
}
KGEN_SHARED double plus(double a, double b) {
  return a + b;
}
KGEN_SHARED U64 bits_of(double value) {
  return std::bit_cast<U64>(value);
}
KGEN_SHARED double double_of(U64 bits) {
  return std::bit_cast<double>(bits);
}
KGEN_SHARED int count_ones(U64 bits) {
  return std::popcount(bits);
}
#endif

KGEN_SHARED bool is_nan(double value) {
  return value != value;
}
KGEN_SHARED double absolute(double value) {
  return double_of(bits_of(value) & 0x7fffffffffffffffull);
}
KGEN_SHARED bool is_infinite(double value) {
  return bits_of(absolute(value)) == 0x7ff0000000000000ull;
}
/// 2^exponent, for -1022 <= exponent <= 1023.
KGEN_SHARED double power_of_two(int exponent) {
  return double_of(static_cast<U64>(exponent + 1023) << 52);
}

}  // namespace kgen::judge
