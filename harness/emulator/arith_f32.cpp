#include "harness/emulator/arith_f32.hpp"

#include <optional>

#include "harness/emulator/arith_soft.hpp"

namespace kgen::emulator {
namespace {

/// A number rounded to odd in double, as f32 in a directed rounding: a product of two f32 is exact in double,
/// and a sum keeps a bit for all that is cut off. Nothing where it is no normal f32 or 0, whose sign is the
/// operands'.
std::optional<std::uint32_t> round_directed(double value, Rounding rounding) {
  const double size = std::fabs(value);
  if (!(size >= 0x1p-126 && size <= 0x1.fffffep127)) return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t kCut = (1ull << 29) - 1;
  const bool is_outwards = rounding == Rounding::rz   ? false
                           : rounding == Rounding::rp ? value > 0
                           : rounding == Rounding::rm ? value < 0
                                                      : false;
  if (rounding != Rounding::rz && rounding != Rounding::rp && rounding != Rounding::rm) return std::nullopt;
  std::uint64_t kept = bits & ~kCut;
  if (is_outwards && (bits & kCut) != 0) kept += kCut + 1;  // a carry goes into the exponent, as it should
  if (std::fabs(std::bit_cast<double>(kept)) > 0x1.fffffep127) return std::nullopt;
  return bits_of_f32(static_cast<float>(std::bit_cast<double>(kept)));
}

}  // namespace

std::uint32_t directed_add_f32(std::uint32_t a, std::uint32_t b, Rounding rounding) {
  return static_cast<std::uint32_t>(soft_add(kF32, a, b, rounding));
}
std::uint32_t directed_mul_f32(std::uint32_t a, std::uint32_t b, Rounding rounding) {
  return static_cast<std::uint32_t>(soft_mul(kF32, a, b, rounding));
}
std::uint32_t directed_fma_f32(std::uint32_t a, std::uint32_t b, std::uint32_t c, Rounding rounding) {
  const double product = static_cast<double>(float_of(a)) * static_cast<double>(float_of(b));
  const double sum = add_round_to_odd(product, static_cast<double>(float_of(c)));
  if (const auto rounded = round_directed(sum, rounding)) return *rounded;
  return static_cast<std::uint32_t>(soft_fma(kF32, a, b, c, rounding));
}

std::uint32_t div_f32(std::uint32_t a, std::uint32_t b, Rounding rounding, bool ftz) {
  if (ftz) {
    a = flush_f32(a);
    b = flush_f32(b);
  }
  std::uint32_t quotient = rounding == Rounding::rn
                               ? bits_of_f32(float_of(a) / float_of(b))
                               : static_cast<std::uint32_t>(soft_div(kF32, a, b, rounding));
  // No quotient of 24-bit numbers is so near a midpoint that double's rounding matters.
  if (ftz) {
    const double exact = static_cast<double>(float_of(a)) / static_cast<double>(float_of(b));
    quotient = flush_tiny_f32(quotient, exact, rounding);
  }
  return finish_f32(quotient, ftz, false);
}

std::uint32_t rcp_f32(std::uint32_t a, Rounding rounding, bool ftz) {
  return div_f32(0x3f800000u, a, rounding, ftz);
}

std::uint32_t sqrt_f32(std::uint32_t a, Rounding rounding, bool ftz) {
  if (ftz) a = flush_f32(a);
  const std::uint32_t root = rounding == Rounding::rn
                                 ? bits_of_f32(std::sqrt(float_of(a)))
                                 : static_cast<std::uint32_t>(soft_sqrt(kF32, a, rounding));
  return finish_f32(root, ftz, false);
}

}  // namespace kgen::emulator
