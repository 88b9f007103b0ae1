#pragma once

#include <cstdint>

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "harness/emulator/arith_format.hpp"
#include "harness/emulator/arith_soft.hpp"
#include "harness/emulator/scalar_type.hpp"

namespace kgen::emulator {

/// The comparisons of set, setp and vset (PTX ISA, "Comparison and Selection Instructions"). lo, ls, hi and
/// hs are the unsigned forms of lt, le, gt and ge; those that end in u are true where an operand is NaN; num
/// and nan test that.
enum class Compare { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class BoolOp { none, logical_and, logical_or, logical_xor };

/// `op` on two values of an order; `unordered` says that one is NaN (the others are then false).
constexpr bool compare_outcome(Compare op, bool less, bool equal, bool unordered) {
  const bool greater = !less && !equal && !unordered;
  switch (op) {
    case Compare::eq:
      return equal;
    case Compare::ne:
      return less || greater;
    case Compare::lt:
    case Compare::lo:
      return less;
    case Compare::le:
    case Compare::ls:
      return less || equal;
    case Compare::gt:
    case Compare::hi:
      return greater;
    case Compare::ge:
    case Compare::hs:
      return greater || equal;
    case Compare::equ:
      return equal || unordered;
    case Compare::neu:
      return !equal;
    case Compare::ltu:
      return less || unordered;
    case Compare::leu:
      return !greater;
    case Compare::gtu:
      return greater || unordered;
    case Compare::geu:
      return !less;
    case Compare::num:
      return !unordered;
    case Compare::nan:
      return unordered;
  }
  return false;
}

/// Whether `op` compares as unsigned even where the type is signed or of bits.
constexpr bool is_unsigned_compare(Compare op) {
  return op >= Compare::lo && op <= Compare::hs;
}

/// `op` on two values of any scalar type, in the low bits of `a` and `b` (what is above is ignored). `ftz`
/// takes subnormal f32 and f16 operands for zeros. A pair (f16x2, bf16x2) is not a scalar: compare its
/// halves.
bool compare(Compare op, ScalarType type, std::uint64_t a, std::uint64_t b, bool ftz = false);

/// BoolOp(t, c) of set and setp.
constexpr bool combine(BoolOp op, bool t, bool c) {
  switch (op) {
    case BoolOp::logical_and:
      return t && c;
    case BoolOp::logical_or:
      return t || c;
    case BoolOp::logical_xor:
      return t != c;
    default:
      return t;
  }
}

/// What set writes for `outcome` into a destination of `type`: 1.0 of a float type (both halves' own in a
/// pair are the caller's), all ones of an integer type, or 0.
std::uint64_t set_result(ScalarType type, bool outcome);

/// slct's choice for a .f32 selector: whether `a` is taken, which a NaN selector never does. -0 counts as 0.
inline bool slct_takes_first_f32(std::uint32_t selector, bool ftz) {
  return float_of(ftz ? flush_f32(selector) : selector) >= 0.0f;
}

enum class FloatTest { finite, infinite, number, notanumber, normal, subnormal };
/// testp on a value of `format`; zeros count as normal.
bool test_float(FloatTest test, const FloatFormat& format, std::uint64_t a);

struct MinMaxModifiers {
  bool ftz = false;
  bool nan = false;          ///< .NaN: a NaN operand makes the result NaN
  bool xorsign_abs = false;  ///< the smaller or larger magnitude, with the signs' exclusive or
};
/// min and max of `format`'s values (PTX ISA, "min", "max" of floating-point types): -0 < +0; of a number and
/// a NaN the number, unless .NaN; of two NaN the format's NaN.
std::uint64_t min_float(const FloatFormat& format, std::uint64_t a, std::uint64_t b,
                        const MinMaxModifiers& modifiers = {});
std::uint64_t max_float(const FloatFormat& format, std::uint64_t a, std::uint64_t b,
                        const MinMaxModifiers& modifiers = {});

}  // namespace kgen::emulator
