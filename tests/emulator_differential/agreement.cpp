#include "emulator_differential/agreement.hpp"

#include <bit>
#include <cmath>

#include "harness/emulator/arith_format.hpp"

namespace kgen::differential {
namespace {

using emulator::FloatFormat;
using emulator::ScalarType;

const FloatFormat& format_of(ScalarType type) {
  switch (type) {
    case ScalarType::f16:
      return emulator::kF16;
    case ScalarType::bf16:
      return emulator::kBf16;
    case ScalarType::f64:
      return emulator::kF64;
    default:
      return emulator::kF32;
  }
}

double value_of(const FloatFormat& format, std::uint64_t bits) {
  return std::bit_cast<double>(emulator::convert_float(emulator::kF64, format, bits, emulator::Rounding::rn));
}

double distance_in_ulps(const FloatFormat& format, std::uint64_t a, std::uint64_t b) {
  const auto key = [&](std::uint64_t bits) {
    const auto magnitude = static_cast<double>(format.magnitude(bits));
    return (bits & format.sign()) != 0 ? -magnitude : magnitude;
  };
  return std::fabs(key(a) - key(b));
}

bool one_agrees(const Agreement& agreement, const FloatFormat& format, std::uint64_t expected,
                std::uint64_t got) {
  if (expected == got) return true;
  if (agreement.kind == Agreement::Kind::exact) return false;
  if (format.is_nan(expected) || format.is_nan(got)) return format.is_nan(expected) && format.is_nan(got);
  const double wanted = value_of(format, expected);
  const double error = std::fabs(value_of(format, got) - wanted);
  switch (agreement.kind) {
    case Agreement::Kind::ulps:
      return distance_in_ulps(format, expected, got) <= agreement.bound;
    case Agreement::Kind::relative:
      return error <= agreement.bound * std::fabs(wanted);
    case Agreement::Kind::absolute:
      return error <= agreement.bound;
    default:
      return false;
  }
}

}  // namespace

bool agrees(const Agreement& agreement, ScalarType type, std::uint64_t expected, std::uint64_t got) {
  const ScalarType half = emulator::element_of(type);
  if (half == ScalarType::f16 || half == ScalarType::bf16) {
    const FloatFormat& format = format_of(half);
    return one_agrees(agreement, format, expected & 0xffffu, got & 0xffffu) &&
           one_agrees(agreement, format, (expected >> 16) & 0xffffu, (got >> 16) & 0xffffu);
  }
  if (!emulator::is_float(type)) return expected == got;
  return one_agrees(agreement, format_of(type), expected, got);
}

}  // namespace kgen::differential
