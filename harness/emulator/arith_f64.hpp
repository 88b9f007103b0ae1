#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "harness/emulator/arith_rounding.hpp"
#include "harness/emulator/arith_soft.hpp"

namespace kgen::emulator {

inline double double_of(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
inline std::uint64_t bits_of_f64(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
inline bool is_nan_f64(std::uint64_t a) {
  return (a & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

/// The operations of PTX ISA, "Floating Point Instructions", on f64: one rounding, subnormals kept, NaN:
/// nan_result. The host must be in its default rounding mode.
inline std::uint64_t fma_f64(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                             Rounding rounding = Rounding::rn) {
  if (rounding != Rounding::rn) return soft_fma(kF64, a, b, c, rounding);
  const std::uint64_t result = bits_of_f64(std::fma(double_of(a), double_of(b), double_of(c)));
  return is_nan_f64(result) ? nan_result(kF64, a, b, c) : result;
}
inline std::uint64_t add_f64(std::uint64_t a, std::uint64_t b, Rounding rounding = Rounding::rn) {
  if (rounding != Rounding::rn) return soft_add(kF64, a, b, rounding);
  const std::uint64_t result = bits_of_f64(double_of(a) + double_of(b));
  return is_nan_f64(result) ? nan_result(kF64, a, b, 0) : result;
}
inline std::uint64_t sub_f64(std::uint64_t a, std::uint64_t b, Rounding rounding = Rounding::rn) {
  return add_f64(a, b ^ kF64.sign(), rounding);
}
inline std::uint64_t mul_f64(std::uint64_t a, std::uint64_t b, Rounding rounding = Rounding::rn) {
  if (rounding != Rounding::rn) return soft_mul(kF64, a, b, rounding);
  const std::uint64_t result = bits_of_f64(double_of(a) * double_of(b));
  return is_nan_f64(result) ? nan_result(kF64, a, b, 0) : result;
}
inline std::uint64_t div_f64(std::uint64_t a, std::uint64_t b, Rounding rounding = Rounding::rn) {
  if (rounding != Rounding::rn) return soft_div(kF64, a, b, rounding);
  const std::uint64_t result = bits_of_f64(double_of(a) / double_of(b));
  return is_nan_f64(result) ? nan_result(kF64, a, b, 0) : result;
}
inline std::uint64_t rcp_f64(std::uint64_t a, Rounding rounding = Rounding::rn) {
  return div_f64(0x3ff0000000000000ull, a, rounding);
}
inline std::uint64_t sqrt_f64(std::uint64_t a, Rounding rounding = Rounding::rn) {
  if (rounding != Rounding::rn) return soft_sqrt(kF64, a, rounding);
  const std::uint64_t result = bits_of_f64(std::sqrt(double_of(a)));
  return is_nan_f64(result) ? nan_result(kF64, a, 0, 0) : result;
}

inline std::uint64_t abs_f64(std::uint64_t a) {
  return a & ~kF64.sign();
}
inline std::uint64_t neg_f64(std::uint64_t a) {
  return a ^ kF64.sign();
}
/// The sign of `a` on `b`.
inline std::uint64_t copysign_f64(std::uint64_t a, std::uint64_t b) {
  return (a & kF64.sign()) | abs_f64(b);
}

}  // namespace kgen::emulator
