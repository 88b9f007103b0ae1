#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kgen::emulator {

/// Integer instructions (PTX ISA, "Integer Arithmetic Instructions", "Logic and Shift Instructions"). T is
/// the instruction's type, as a C++ integer of its width and signedness; results wrap unless said otherwise.

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
inline constexpr int kWidth = std::numeric_limits<Unsigned<T>>::digits;

template <typename T>
constexpr T wrapped(Int128 value) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<Uint128>(value)));
}
/// `value` clamped into T's range.
template <typename T>
constexpr T saturated(Int128 value) {
  constexpr Int128 least = std::numeric_limits<T>::min();
  constexpr Int128 largest = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp(value, least, largest));
}

template <typename T>
constexpr T add_integer(T a, T b, bool sat = false) {
  const Int128 sum = static_cast<Int128>(a) + b;
  return sat ? saturated<T>(sum) : wrapped<T>(sum);
}
template <typename T>
constexpr T sub_integer(T a, T b, bool sat = false) {
  const Int128 difference = static_cast<Int128>(a) - b;
  return sat ? saturated<T>(difference) : wrapped<T>(difference);
}
template <typename T>
constexpr T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<Uint128>(a) * static_cast<Uint128>(b)));
}
template <typename T>
constexpr T mul_hi(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    return wrapped<T>((static_cast<Int128>(a) * b) >> kWidth<T>);
  else
    return static_cast<T>((static_cast<Uint128>(a) * static_cast<Uint128>(b)) >> kWidth<T>);
}
/// The whole product, of twice T's width (16 and 32 bits only), in the low bits; signed products are
/// sign-extended.
template <typename T>
constexpr std::uint64_t mul_wide(T a, T b) {
  static_assert(kWidth<T> <= 32);
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) * b);
  else
    return static_cast<std::uint64_t>(a) * b;
}
/// mad.hi.sat.s32 and mad24.hi.sat.s32: the high part plus `c`, clamped.
constexpr std::int32_t mad_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return add_integer(mul_hi(a, b), c, true);
}

/// The 48-bit product of the low 24 bits of `a` and `b`, of T's signedness; .lo is its bits 31..0, .hi
/// its 47..16.
template <typename T>
constexpr std::int64_t mul24_wide(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    const auto low = [](T x) {
      return static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8);
    };
    return low(a) * low(b);
  } else
    return static_cast<std::int64_t>(a & 0xffffffu) * static_cast<std::int64_t>(b & 0xffffffu);
}
template <typename T>
constexpr T mul24_lo(T a, T b) {
  return static_cast<T>(mul24_wide(a, b));
}
template <typename T>
constexpr T mul24_hi(T a, T b) {
  return static_cast<T>(mul24_wide(a, b) >> 16);
}

/// Division truncates. By zero: every bit set, as the hardware does (the ISA leaves it open). The least value
/// by -1 wraps.
template <typename T>
constexpr T div_integer(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  return wrapped<T>(static_cast<Int128>(a) / b);
}
/// Remainder with the sign of `a`. By zero: every bit set, as an H200 gives for every width and sign.
template <typename T>
constexpr T rem_integer(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  return wrapped<T>(static_cast<Int128>(a) % b);
}

template <typename T>
constexpr T abs_integer(T a) {
  return a < 0 ? sub_integer<T>(0, a) : a;
}
template <typename T>
constexpr T sad(T a, T b, T c) {
  return add_integer<T>(c, a < b ? sub_integer<T>(b, a) : sub_integer<T>(a, b));
}

/// A sum with its carry, a difference with its borrow. CC.CF holds a borrow inverted: decode_carry().
template <typename T>
struct WithCarry {
  T value;
  bool carry;
};
template <typename T>
constexpr WithCarry<T> add_carry(T a, T b, bool carry) {
  const Uint128 sum =
      static_cast<Uint128>(static_cast<Unsigned<T>>(a)) + static_cast<Unsigned<T>>(b) + (carry ? 1 : 0);
  return {static_cast<T>(static_cast<Unsigned<T>>(sum)), (sum >> kWidth<T>) != 0};
}
template <typename T>
constexpr WithCarry<T> sub_borrow(T a, T b, bool borrow) {
  const Uint128 difference =
      static_cast<Uint128>(static_cast<Unsigned<T>>(a)) - static_cast<Unsigned<T>>(b) - (borrow ? 1 : 0);
  return {static_cast<T>(static_cast<Unsigned<T>>(difference)), (difference >> kWidth<T>) != 0};
}

/// shl, shr: amounts beyond the width clamp to it; a signed shr fills with the sign.
template <typename T>
constexpr T shift_left(T a, std::uint32_t by) {
  if (by >= static_cast<std::uint32_t>(kWidth<T>)) return 0;
  return static_cast<T>(
      static_cast<Unsigned<T>>(static_cast<std::uint64_t>(static_cast<Unsigned<T>>(a)) << by));
}
template <typename T>
constexpr T shift_right(T a, std::uint32_t by) {
  if (by >= static_cast<std::uint32_t>(kWidth<T>)) return a < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> by);
}
/// shf.l and shf.r on the 64 bits of `high` and `low`; wrap takes the amount modulo 32, clamp stops at 32.
constexpr std::uint32_t funnel_left(std::uint32_t low, std::uint32_t high, std::uint32_t by, bool wrap) {
  const std::uint32_t n = wrap ? by & 31u : std::min(by, 32u);
  return static_cast<std::uint32_t>(((static_cast<std::uint64_t>(high) << 32 | low) << n) >> 32);
}
constexpr std::uint32_t funnel_right(std::uint32_t low, std::uint32_t high, std::uint32_t by, bool wrap) {
  const std::uint32_t n = wrap ? by & 31u : std::min(by, 32u);
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(high) << 32 | low) >> n);
}

/// bfe and bfi with T of 32 or 64 bits; position and length are taken modulo 256.
template <typename T>
constexpr T bit_field_extract(T a, std::uint32_t position, std::uint32_t length) {
  constexpr std::uint32_t width = static_cast<std::uint32_t>(kWidth<T>);
  position &= 0xffu;
  length &= 0xffu;
  if (length == 0) return 0;
  const std::uint32_t kept = position >= width ? 0 : std::min(length, width - position);
  const Unsigned<T> all = std::numeric_limits<Unsigned<T>>::max();
  const Unsigned<T> mask = kept == 0 ? 0 : static_cast<Unsigned<T>>(all >> (width - kept));
  const Unsigned<T> field =
      kept == 0 ? 0 : static_cast<Unsigned<T>>((static_cast<Unsigned<T>>(a) >> position) & mask);
  const std::uint32_t sign_at = std::min(position + length - 1, width - 1);
  const bool negative = std::is_signed_v<T> && ((static_cast<Unsigned<T>>(a) >> sign_at) & 1) != 0;
  return static_cast<T>(negative ? field | static_cast<Unsigned<T>>(~mask) : field);
}
template <typename T>
constexpr T bit_field_insert(T a, T b, std::uint32_t position, std::uint32_t length) {
  constexpr std::uint32_t width = static_cast<std::uint32_t>(kWidth<T>);
  position &= 0xffu;
  length &= 0xffu;
  if (length == 0 || position >= width) return b;
  const std::uint32_t kept = std::min(length, width - position);
  const T mask = static_cast<T>((std::numeric_limits<T>::max() >> (width - kept)) << position);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
}

/// bfind: the position of the most significant bit that differs from the sign, or with `shift_amount` how far
/// left it has to go; all ones where there is none.
template <typename T>
constexpr std::uint32_t find_leading_bit(T a, bool shift_amount) {
  const auto bits = static_cast<Unsigned<T>>(a < 0 ? ~a : a);
  if (bits == 0) return ~0u;
  const auto zeros = static_cast<std::uint32_t>(std::countl_zero(bits));
  return shift_amount ? zeros : static_cast<std::uint32_t>(kWidth<T>) - 1 - zeros;
}

template <typename T>
constexpr T reverse_bits(T a) {
  T result = 0;
  for (int i = 0; i < kWidth<T>; ++i) result = static_cast<T>((result << 1) | ((a >> i) & 1));
  return result;
}

/// lop3.b32: the table's bit number (a b c) for each bit position.
constexpr std::uint32_t lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
  std::uint32_t result = 0;
  if (table & 0x01u) result |= ~a & ~b & ~c;
  if (table & 0x02u) result |= ~a & ~b & c;
  if (table & 0x04u) result |= ~a & b & ~c;
  if (table & 0x08u) result |= ~a & b & c;
  if (table & 0x10u) result |= a & ~b & ~c;
  if (table & 0x20u) result |= a & ~b & c;
  if (table & 0x40u) result |= a & b & ~c;
  if (table & 0x80u) result |= a & b & c;
  return result;
}

enum class PermuteMode { generic, f4e, b4e, rc8, ecl, ecr, rc16 };
std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t control,
                   PermuteMode mode = PermuteMode::generic);

/// bmsk.b32 and szext; `wrap` takes position and width modulo 32, otherwise they clamp.
std::uint32_t bmsk(std::uint32_t position, std::uint32_t width, bool wrap);
std::uint32_t szext(std::uint32_t a, std::uint32_t width, bool is_signed, bool wrap);

/// fns.b32: the position of the offset-th set bit of `mask` from `base` (0 to 31) on, all ones where there is
/// none.
std::uint32_t fns(std::uint32_t mask, std::uint32_t base, std::int32_t offset);

/// dp4a: c + the sum of four products of bytes; dp2a: of two 16-bit parts of `a` and the lower or upper two
/// bytes of `b`.
std::uint32_t dp4a(std::uint32_t a, bool a_signed, std::uint32_t b, bool b_signed, std::uint32_t c);
std::uint32_t dp2a(std::uint32_t a, bool a_signed, std::uint32_t b, bool b_signed, std::uint32_t c,
                   bool high);

}  // namespace kgen::emulator
