#include "harness/emulator/compare_ops.hpp"

namespace kgen::emulator {
namespace {

/// A key that orders the numbers of `format` as integers, both zeros alike.
std::int64_t order_key(const FloatFormat& format, std::uint64_t bits) {
  const auto magnitude = static_cast<std::int64_t>(format.magnitude(bits));
  return (bits & format.sign()) != 0 ? -magnitude : magnitude;
}

bool compare_float(Compare op, const FloatFormat& format, std::uint64_t a, std::uint64_t b, bool ftz) {
  if (ftz) {
    a = format.flushed(a);
    b = format.flushed(b);
  }
  if (format.is_nan(a) || format.is_nan(b)) return compare_outcome(op, false, false, true);
  const std::int64_t x = order_key(format, a);
  const std::int64_t y = order_key(format, b);
  return compare_outcome(op, x < y, x == y, false);
}

bool compare_integer(Compare op, bool is_signed, int width, std::uint64_t a, std::uint64_t b) {
  const int shift = 64 - width;
  a <<= shift;  // the sign bit on top: higher bits are gone, and the order is kept
  b <<= shift;
  const bool as_signed = is_signed && !is_unsigned_compare(op);
  const bool less = as_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
  return compare_outcome(op, less, a == b, false);
}

std::uint64_t choose(const FloatFormat& format, std::uint64_t a, std::uint64_t b,
                     const MinMaxModifiers& modifiers, bool larger) {
  if (modifiers.ftz) {
    a = format.flushed(a);
    b = format.flushed(b);
  }
  const std::uint64_t sign = (a ^ b) & format.sign();
  if (modifiers.xorsign_abs) {
    a = format.magnitude(a);
    b = format.magnitude(b);
  }
  std::uint64_t chosen = 0;
  if (format.is_nan(a) || format.is_nan(b)) {
    if (modifiers.nan || (format.is_nan(a) && format.is_nan(b))) return nan_result(format, a, b, 0);
    chosen = format.is_nan(a) ? b : a;
  } else {
    const std::int64_t x = order_key(format, a);
    const std::int64_t y = order_key(format, b);
    const bool a_is_less = x < y || (x == y && (a & format.sign()) != 0);
    chosen = a_is_less != larger ? a : b;
  }
  return modifiers.xorsign_abs ? (format.magnitude(chosen) | sign) : chosen;
}

}  // namespace

bool compare(Compare op, ScalarType type, std::uint64_t a, std::uint64_t b, bool ftz) {
  switch (type) {
    case ScalarType::f32:
      return compare_float(op, kF32, a & 0xffffffffu, b & 0xffffffffu, ftz);
    case ScalarType::f64:
      return compare_float(op, kF64, a, b, false);
    case ScalarType::f16:
      return compare_float(op, kF16, a & 0xffffu, b & 0xffffu, ftz);
    case ScalarType::bf16:
      return compare_float(op, kBf16, a & 0xffffu, b & 0xffffu, ftz);
    default:
      return compare_integer(op, is_signed_integer(type), bits_of(type), a, b);
  }
}

std::uint64_t set_result(ScalarType type, bool outcome) {
  if (!outcome) return 0;
  switch (type) {
    case ScalarType::f32:
      return 0x3f800000u;
    case ScalarType::f16:
      return 0x3c00u;
    case ScalarType::bf16:
      return 0x3f80u;
    case ScalarType::f64:
      return 0x3ff0000000000000ull;
    default:
      return ~0ull >> (64 - bits_of(type));
  }
}

bool test_float(FloatTest test, const FloatFormat& format, std::uint64_t a) {
  const bool number = !format.is_nan(a);
  const bool finite = number && !format.is_infinity(a);
  switch (test) {
    case FloatTest::finite:
      return finite;
    case FloatTest::infinite:
      return format.is_infinity(a);
    case FloatTest::number:
      return number;
    case FloatTest::notanumber:
      return !number;
    case FloatTest::normal:
      return finite && !format.is_subnormal(a);
    case FloatTest::subnormal:
      return format.is_subnormal(a);
  }
  return false;
}

std::uint64_t min_float(const FloatFormat& format, std::uint64_t a, std::uint64_t b,
                        const MinMaxModifiers& modifiers) {
  return choose(format, a, b, modifiers, false);
}
std::uint64_t max_float(const FloatFormat& format, std::uint64_t a, std::uint64_t b,
                        const MinMaxModifiers& modifiers) {
  return choose(format, a, b, modifiers, true);
}

}  // namespace kgen::emulator
