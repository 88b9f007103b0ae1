#include "harness/emulator/approx_ops.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"

namespace kgen::emulator {
namespace {

/// `function` of `a` in double, rounded once to f32.
template <typename Function>
std::uint32_t through_double(std::uint32_t a, bool ftz, Function function) {
  if (ftz) a = flush_f32(a);
  const double exact = function(static_cast<double>(float_of(a)));
  return finish_f32(bits_of_f32(static_cast<float>(exact)), ftz, false);
}

/// The angle of sin and cos in turns, as the hardware reduces it: times 1/(2 pi) of f32, cut to f32's 24
/// bits. The product of two f32 is exact in double, where those are the upper ones. (Below 2^-126 more are
/// cut than here; nobody can tell.)
double turns(double radians) {
  constexpr double inverse_of_two_pi = 0x1.45f306p-3;
  constexpr std::uint64_t upper_24_bits = ~((1ull << 29) - 1);
  const double value = double_of(bits_of_f64(radians * inverse_of_two_pi) & upper_24_bits);
  return value - std::floor(value);  // exact, or NaN
}

/// The nearest value of 16 significant bits.
double of_16_bits(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 16)), exponent - 16);
}

template <typename Function>
std::uint32_t half_through_double(const FloatFormat& format, std::uint32_t a, bool ftz, Function function) {
  const std::uint64_t operand = ftz ? format.flushed(a) : a;
  const double value = double_of(convert_float(kF64, format, operand, Rounding::rn));
  const std::uint64_t result = convert_float(format, kF64, bits_of_f64(function(value)), Rounding::rn);
  return static_cast<std::uint32_t>(ftz ? format.flushed(result) : result);
}

constexpr std::uint64_t kUpper = 0xffffffff00000000ull;
constexpr std::uint64_t kNanOfUpper = 0x7fffffff00000000ull;

/// The upper word of a double result, to nearest, flushed.
std::uint64_t upper_word(double value) {
  if (std::isnan(value)) return kNanOfUpper;
  const std::uint64_t bits = bits_of_f64(value);
  if (std::isinf(value)) return bits;
  return kF64.flushed((bits + 0x80000000ull) & kUpper);
}

}  // namespace

std::uint32_t ex2_approx_f32(std::uint32_t a, bool ftz) {
  return through_double(a, ftz, [](double x) { return std::exp2(x); });
}
std::uint32_t lg2_approx_f32(std::uint32_t a, bool ftz) {
  return through_double(a, ftz, [](double x) { return std::log2(x); });
}
std::uint32_t sin_approx_f32(std::uint32_t a, bool ftz) {
  // A zero keeps its sign, and what the scaling would lose of a tiny angle is the angle itself.
  return through_double(a, ftz, [](double x) {
    return std::fabs(x) < 0x1p-100 ? x : std::sin(2 * std::numbers::pi * turns(x));
  });
}
std::uint32_t cos_approx_f32(std::uint32_t a, bool ftz) {
  return through_double(a, ftz, [](double x) { return std::cos(2 * std::numbers::pi * turns(x)); });
}
std::uint32_t tanh_approx_f32(std::uint32_t a) {
  return through_double(a, false, [](double x) {
    const bool is_normal = std::isfinite(x) && std::fabs(x) >= 0x1p-126;
    return std::tanh(is_normal ? of_16_bits(x) : x);
  });
}
std::uint32_t rcp_approx_f32(std::uint32_t a, bool ftz) {
  return through_double(a, ftz, [](double x) { return 1.0 / x; });
}
std::uint32_t sqrt_approx_f32(std::uint32_t a, bool ftz) {
  return through_double(a, ftz, [](double x) { return std::sqrt(x); });
}
std::uint32_t rsqrt_approx_f32(std::uint32_t a, bool ftz) {
  return through_double(a, ftz, [](double x) { return 1.0 / std::sqrt(x); });
}

std::uint32_t div_approx_f32(std::uint32_t a, std::uint32_t b, bool ftz) {
  constexpr std::uint32_t two_to_126 = 0x7e800000u;
  const std::uint32_t magnitude = b & 0x7fffffffu;
  const bool beyond = magnitude > two_to_126 && magnitude < 0x7f800000u;
  if (!beyond) return div_full_f32(a, b, ftz);
  return mul_f32(a, b & 0x80000000u, Rounding::rn, ftz);  // times 1/b that was flushed to zero
}
std::uint32_t div_full_f32(std::uint32_t a, std::uint32_t b, bool ftz) {
  return div_f32(a, b, Rounding::rn, ftz);
}

std::uint32_t ex2_approx_half(const FloatFormat& format, std::uint32_t a, bool ftz) {
  return half_through_double(format, a, ftz, [](double x) { return std::exp2(x); });
}
std::uint32_t tanh_approx_half(const FloatFormat& format, std::uint32_t a) {
  return half_through_double(format, a, false, [](double x) { return std::tanh(x); });
}

std::uint64_t rcp_approx_f64(std::uint64_t a) {
  return upper_word(1.0 / double_of(kF64.flushed(a & kUpper)));
}
std::uint64_t rsqrt_approx_f64(std::uint64_t a, bool ftz) {
  if (ftz) return upper_word(1.0 / std::sqrt(double_of(kF64.flushed(a & kUpper))));
  // As precise as rsqrt() of CUDA C++, which it is: in 64 bits of mantissa, rounded once.
  return std::bit_cast<std::uint64_t>(
      static_cast<double>(1.0L / std::sqrt(static_cast<long double>(double_of(a)))));
}

}  // namespace kgen::emulator
