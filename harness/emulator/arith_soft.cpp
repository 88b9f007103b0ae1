#include "harness/emulator/arith_soft.hpp"

#include <bit>
#include <utility>

namespace kgen::emulator {
namespace {

__extension__ using Wide = unsigned __int128;

/// A finite number with up to 128 bits of significand.
struct WideExact {
  bool negative;
  int exponent;
  Wide significand;
};

int leading_bit(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  if (high != 0) return 127 - std::countl_zero(high);
  return 63 - std::countl_zero(static_cast<std::uint64_t>(value));
}

/// `value` >> `by`; what is cut off is kept as a sticky lowest bit.
Wide shift_jam(Wide value, int by) {
  if (by == 0) return value;
  if (by >= 128) return value != 0 ? 1 : 0;
  const Wide lost = value & ((static_cast<Wide>(1) << by) - 1);
  return (value >> by) | (lost != 0 ? 1 : 0);
}

Exact narrow(const WideExact& wide) {
  const int by = leading_bit(wide.significand) - 62;
  if (wide.significand == 0 || by <= 0) {
    return {wide.negative, wide.exponent, static_cast<std::uint64_t>(wide.significand)};
  }
  return {wide.negative, wide.exponent + by, static_cast<std::uint64_t>(shift_jam(wide.significand, by))};
}

/// Moves the leading bit to position 125, so that a sum of two keeps within 127 bits.
WideExact normalised(WideExact value) {
  const int by = 125 - leading_bit(value.significand);
  value.significand <<= by;
  value.exponent -= by;
  return value;
}

/// The sum of two non-zero numbers of at most 106 bits; 0 where they cancel. Bits below the 128 stick: they
/// cannot matter, as operands whose exponents are so far apart that bits are cut cancel by one bit at most.
WideExact sum(WideExact a, WideExact b) {
  a = normalised(a);
  b = normalised(b);
  if (a.exponent < b.exponent) std::swap(a, b);
  b.significand = shift_jam(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.negative, a.exponent, a.significand + b.significand};
  if (a.significand >= b.significand) return {a.negative, a.exponent, a.significand - b.significand};
  return {b.negative, a.exponent, b.significand - a.significand};
}

std::uint64_t signed_bits(const FloatFormat& format, bool negative, std::uint64_t magnitude) {
  return magnitude | (negative ? format.sign() : 0);
}

bool is_negative(const FloatFormat& format, std::uint64_t bits) {
  return (bits & format.sign()) != 0;
}

Exact left_aligned(Exact value) {
  const int by = std::countl_zero(value.significand);
  return {value.negative, value.exponent - by, value.significand << by};
}

/// Floor of the square root of a number of at least 2^126, bit by bit; `exact` says whether there is no rest.
std::uint64_t integer_sqrt(Wide value, bool& exact) {
  Wide rest = 0;
  std::uint64_t root = 0;
  for (int step = 0; step < 64; ++step) {
    rest = (rest << 2) | (value >> 126);
    value <<= 2;
    const Wide trial = (static_cast<Wide>(root) << 2) | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  exact = rest == 0;
  return root;
}

}  // namespace

std::uint64_t soft_fma(const FloatFormat& format, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                       Rounding rounding) {
  const bool negative = is_negative(format, a) != is_negative(format, b);
  const bool infinite = format.is_infinity(a) || format.is_infinity(b);
  if (format.is_nan(a) || format.is_nan(b) || format.is_nan(c)) return nan_result(format, a, b, c);
  if (infinite) {
    const bool opposes = format.is_infinity(c) && is_negative(format, c) != negative;
    if (format.is_zero(a) || format.is_zero(b) || opposes) return format.nan;
    return signed_bits(format, negative, format.infinity());
  }
  if (format.is_infinity(c)) return c;
  const Exact x = exact_of(format, a);
  const Exact y = exact_of(format, b);
  const Exact z = exact_of(format, c);
  const WideExact product{negative, x.exponent + y.exponent,
                          static_cast<Wide>(x.significand) * y.significand};
  if (product.significand == 0) {
    if (z.significand != 0 || z.negative == negative) return c;
    return signed_bits(format, rounding == Rounding::rm, 0);
  }
  if (z.significand == 0) return round_to(format, narrow(product), rounding);
  const WideExact total = sum(product, {z.negative, z.exponent, z.significand});
  if (total.significand == 0) return signed_bits(format, rounding == Rounding::rm, 0);
  return round_to(format, narrow(total), rounding);
}

std::uint64_t soft_add(const FloatFormat& format, std::uint64_t a, std::uint64_t b, Rounding rounding) {
  const auto one = static_cast<std::uint64_t>(format.bias()) << format.mantissa_bits;
  return soft_fma(format, a, one, b, rounding);
}

std::uint64_t soft_mul(const FloatFormat& format, std::uint64_t a, std::uint64_t b, Rounding rounding) {
  const std::uint64_t zero = (a ^ b) & format.sign();
  return soft_fma(format, a, b, zero, rounding);
}

std::uint64_t soft_div(const FloatFormat& format, std::uint64_t a, std::uint64_t b, Rounding rounding) {
  const bool negative = is_negative(format, a) != is_negative(format, b);
  if (format.is_nan(a) || format.is_nan(b)) return nan_result(format, a, b, 0);
  if (format.is_infinity(a))
    return format.is_infinity(b) ? format.nan : signed_bits(format, negative, format.infinity());
  if (format.is_infinity(b)) return signed_bits(format, negative, 0);
  if (format.is_zero(b))
    return format.is_zero(a) ? format.nan : signed_bits(format, negative, format.infinity());
  if (format.is_zero(a)) return signed_bits(format, negative, 0);
  const Exact x = left_aligned(exact_of(format, a));
  const Exact y = left_aligned(exact_of(format, b));
  const Wide dividend = static_cast<Wide>(x.significand) << 62;
  const auto quotient = static_cast<std::uint64_t>(dividend / y.significand);
  const bool sticky = dividend % y.significand != 0;
  return round_to(format, {negative, x.exponent - y.exponent - 62, quotient | (sticky ? 1u : 0u)}, rounding);
}

std::uint64_t soft_sqrt(const FloatFormat& format, std::uint64_t a, Rounding rounding) {
  if (format.is_nan(a)) return nan_result(format, a, 0, 0);
  if (format.is_zero(a)) return a;
  if (is_negative(format, a)) return format.nan;
  if (format.is_infinity(a)) return a;
  const Exact x = left_aligned(exact_of(format, a));
  const bool odd = (x.exponent & 1) != 0;
  // x = significand * 2^exponent; the radicand takes 64 further bits, one fewer where that makes the exponent
  // even.
  const int extra = odd ? 63 : 64;
  bool exact = false;
  const std::uint64_t root = integer_sqrt(static_cast<Wide>(x.significand) << extra, exact);
  return round_to(format, {false, (x.exponent - extra) / 2, root | (exact ? 0u : 1u)}, rounding);
}

}  // namespace kgen::emulator
