#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/convert_scalar.hpp"

namespace kgen::emulator {

/// f16 to f32, exact; NaN becomes the device's.
inline std::uint32_t f32_of_f16(std::uint32_t a) {
  const double value = half_value<kF16>(a & 0xffffu);
  return value == value ? bits_of_f32(static_cast<float>(value)) : kNanF32;
}

/// cvt.f32.f32: to a whole number, flushed, saturated, as the modifiers say; nothing for those it has not.
inline std::optional<std::uint32_t> f32_of_f32(std::uint32_t a, const ConvertModifiers& m) {
  if (m.satfinite || m.relu || m.rounding == Rounding::rna) return std::nullopt;
  if (m.ftz) a = flush_f32(a);
  if (is_nan_f32(a)) return m.sat ? 0 : kNanF32;
  float value = float_of(a);
  if (m.integral) {
    value = m.rounding == Rounding::rz   ? std::trunc(value)
            : m.rounding == Rounding::rm ? std::floor(value)
            : m.rounding == Rounding::rp ? std::ceil(value)
                                         : std::nearbyint(value);
  }
  return m.sat ? saturate_f32(bits_of_f32(value)) : bits_of_f32(value);
}

/// The conversions that kernels are full of, on the host's own arithmetic: 16-bit floats from and to f32 and
/// 32-bit integers to f32, rounded to nearest; f32 to 32-bit integers, truncated, inside their range; these
/// without a modifier. f32 to f32 with most. Nothing for any other. What there is equals convert's result.
inline std::optional<std::uint64_t> convert_common(ScalarType to, ScalarType from, std::uint64_t bits,
                                                   const ConvertModifiers& m) {
  if (to == ScalarType::f32 && from == ScalarType::f32)
    return f32_of_f32(static_cast<std::uint32_t>(bits), m);
  if (m.integral || m.ftz || m.sat || m.satfinite || m.relu) return std::nullopt;
  const auto a = static_cast<std::uint32_t>(bits);
  const bool nearest = m.rounding == Rounding::rn;
  if (to == ScalarType::f32) {
    if (from == ScalarType::f16) return f32_of_f16(a);
    if (from == ScalarType::s32 && nearest)
      return bits_of_f32(static_cast<float>(static_cast<std::int32_t>(a)));
    if (from == ScalarType::u32 && nearest) return bits_of_f32(static_cast<float>(a));
  }
  if (from == ScalarType::f32) {
    const double value = static_cast<double>(float_of(a));
    if (to == ScalarType::f16 && nearest) return half_of<kF16>(value);
    if (to == ScalarType::bf16 && nearest) return half_of<kBf16>(value);
    if (to == ScalarType::s32 && m.rounding == Rounding::rz && value > -2147483648.0 &&
        value < 2147483648.0) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }
  }
  return std::nullopt;
}

}  // namespace kgen::emulator
