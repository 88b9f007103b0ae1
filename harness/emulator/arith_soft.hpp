#pragma once

#include <cstdint>
#include <initializer_list>

#include "harness/emulator/arith_format.hpp"

namespace kgen::emulator {

/// Exact operations rounded once, in integers: independent of the host's rounding mode. They serve every
/// rounding; the host's own arithmetic serves .rn where speed matters. NaN: nan_result.

std::uint64_t soft_add(const FloatFormat& format, std::uint64_t a, std::uint64_t b, Rounding rounding);
std::uint64_t soft_mul(const FloatFormat& format, std::uint64_t a, std::uint64_t b, Rounding rounding);
std::uint64_t soft_fma(const FloatFormat& format, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                       Rounding rounding);
std::uint64_t soft_div(const FloatFormat& format, std::uint64_t a, std::uint64_t b, Rounding rounding);
std::uint64_t soft_sqrt(const FloatFormat& format, std::uint64_t a, Rounding rounding);

/// The NaN of an operation with operands `a`, `b`, `c` (pass a number where there are fewer): the format's
/// own, but for f64, whose payloads pass (PTX ISA, "Floating Point Instructions"): the first NaN operand's,
/// quiet.
constexpr std::uint64_t nan_result(const FloatFormat& format, std::uint64_t a, std::uint64_t b,
                                   std::uint64_t c) {
  if (format.width() != 64) return format.nan;
  constexpr std::uint64_t quiet = 1ull << 51;
  for (const std::uint64_t operand : {a, b, c}) {
    if (format.is_nan(operand)) return operand | quiet;
  }
  return format.nan;
}

}  // namespace kgen::emulator
