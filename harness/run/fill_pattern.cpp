#include "harness/run/fill_pattern.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace kgen::run {
namespace {

/// Exponent bits of a float type, and its significand without the implicit bit.
struct FloatFormat {
  int exponent_bits = 0, fraction_bits = 0;
};

FloatFormat format_of(core::DType dtype) {
  const auto& facts = core::facts_of(dtype);
  return {static_cast<int>(facts.bytes) * 8 - facts.significand_bits, facts.significand_bits - 1};
}

/// A whole number in a float format: never subnormal, so normalise, round, pack (IEEE 754-2019, 3.4).
std::uint64_t pack_float(double value, FloatFormat format) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  const double scaled = std::nearbyint(std::ldexp(fraction, format.fraction_bits + 1));
  // A carry out of the fraction goes into the exponent by the addition.
  const std::uint64_t bias = (std::uint64_t{1} << (format.exponent_bits - 1)) - 1;
  const std::uint64_t magnitude =
      ((static_cast<std::uint64_t>(exponent) - 1 + bias) << format.fraction_bits) +
      (static_cast<std::uint64_t>(scaled) - (std::uint64_t{1} << format.fraction_bits));
  const std::uint64_t sign =
      value < 0 ? std::uint64_t{1} << (format.exponent_bits + format.fraction_bits) : 0;
  return sign | magnitude;
}

}  // namespace

std::optional<std::uint64_t> fill_pattern(core::DType dtype, std::int64_t value) {
  const auto& facts = core::facts_of(dtype);
  if (facts.is_float) {
    const auto real = static_cast<double>(value);
    if (std::fabs(real) > facts.max_finite) return std::nullopt;
    return pack_float(real, format_of(dtype));
  }
  const int bits = static_cast<int>(facts.bytes) * 8;
  const auto pattern = static_cast<std::uint64_t>(value);
  if (bits == 64) return pattern;
  // All of the type's values, signed or not: a fill of -1 means all bits set for either.
  if (value < -(std::int64_t{1} << (bits - 1)) || value >= std::int64_t{1} << bits) return std::nullopt;
  return pattern & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace kgen::run
