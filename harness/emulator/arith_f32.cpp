#include "harness/emulator/arith_f32.hpp"

#include "harness/emulator/arith_soft.hpp"

namespace kgen::emulator {

std::uint32_t directed_add_f32(std::uint32_t a, std::uint32_t b, Rounding rounding) {
  return static_cast<std::uint32_t>(soft_add(kF32, a, b, rounding));
}
std::uint32_t directed_mul_f32(std::uint32_t a, std::uint32_t b, Rounding rounding) {
  return static_cast<std::uint32_t>(soft_mul(kF32, a, b, rounding));
}
std::uint32_t directed_fma_f32(std::uint32_t a, std::uint32_t b, std::uint32_t c, Rounding rounding) {
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
