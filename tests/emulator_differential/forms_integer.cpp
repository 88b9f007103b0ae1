#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/integer_ops.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

/// A form whose operands and result are all of T.
template <typename T, typename Function>
Form typed(const std::string& name, ScalarType type, int operands, Function function) {
  const auto call = [=](const Operands& x) {
    const auto result = function(static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2]));
    return static_cast<std::uint64_t>(result);
  };
  if (operands == 1) return scalar_form(name, "", {type}, type, kExact, call);
  if (operands == 2) return scalar_form(name, "", {type, type}, type, kExact, call);
  return scalar_form(name, "", {type, type, type}, type, kExact, call);
}

template <typename T>
void add_common(std::vector<Form>& forms, ScalarType type) {
  const std::string end = name_of(type);
  forms.push_back(typed<T>("add" + end, type, 2, [](T a, T b, T) { return add_integer(a, b); }));
  forms.push_back(typed<T>("sub" + end, type, 2, [](T a, T b, T) { return sub_integer(a, b); }));
  forms.push_back(typed<T>("mul.lo" + end, type, 2, [](T a, T b, T) { return mul_lo(a, b); }));
  forms.push_back(typed<T>("mul.hi" + end, type, 2, [](T a, T b, T) { return mul_hi(a, b); }));
  forms.push_back(
      typed<T>("mad.lo" + end, type, 3, [](T a, T b, T c) { return add_integer(mul_lo(a, b), c); }));
  forms.push_back(
      typed<T>("mad.hi" + end, type, 3, [](T a, T b, T c) { return add_integer(mul_hi(a, b), c); }));
  forms.push_back(typed<T>("sad" + end, type, 3, [](T a, T b, T c) { return sad(a, b, c); }));
  forms.push_back(typed<T>("div" + end, type, 2, [](T a, T b, T) { return div_integer(a, b); }));
  forms.push_back(typed<T>("rem" + end, type, 2, [](T a, T b, T) { return rem_integer(a, b); }));
  forms.push_back(typed<T>("min" + end, type, 2, [](T a, T b, T) { return std::min(a, b); }));
  forms.push_back(typed<T>("max" + end, type, 2, [](T a, T b, T) { return std::max(a, b); }));
  if constexpr (std::is_signed_v<T>) {
    forms.push_back(typed<T>("abs" + end, type, 1, [](T a, T, T) { return abs_integer(a); }));
    forms.push_back(typed<T>("neg" + end, type, 1, [](T a, T, T) { return sub_integer<T>(0, a); }));
  }
  const ScalarType bits = kWidth<T> == 16 ? b16 : kWidth<T> == 32 ? b32 : b64;
  forms.push_back(scalar_form("shr" + end, "", {type, u32}, type, kExact, [](const Operands& x) {
    return static_cast<std::uint64_t>(shift_right(static_cast<T>(x[0]), static_cast<std::uint32_t>(x[1])));
  }));
  if constexpr (std::is_unsigned_v<T>) {
    forms.push_back(scalar_form("shl" + name_of(bits), "", {bits, u32}, bits, kExact, [](const Operands& x) {
      return static_cast<std::uint64_t>(shift_left(static_cast<T>(x[0]), static_cast<std::uint32_t>(x[1])));
    }));
  }
  if constexpr (kWidth<T> < 64) {
    const ScalarType wide =
        kWidth<T> == 16 ? (std::is_signed_v<T> ? s32 : u32) : (std::is_signed_v<T> ? s64 : u64);
    forms.push_back(scalar_form("mul.wide" + end, "", {type, type}, wide, kExact, [](const Operands& x) {
      return mul_wide(static_cast<T>(x[0]), static_cast<T>(x[1]));
    }));
    forms.push_back(scalar_form(
        "mad.wide" + end, "", {type, type, wide}, wide, kExact,
        [](const Operands& x) { return mul_wide(static_cast<T>(x[0]), static_cast<T>(x[1])) + x[2]; }));
  }
}

template <typename T>
void add_24_bits(std::vector<Form>& forms, ScalarType type) {
  const std::string end = name_of(type);
  forms.push_back(typed<T>("mul24.lo" + end, type, 2, [](T a, T b, T) { return mul24_lo(a, b); }));
  forms.push_back(typed<T>("mul24.hi" + end, type, 2, [](T a, T b, T) { return mul24_hi(a, b); }));
  forms.push_back(
      typed<T>("mad24.lo" + end, type, 3, [](T a, T b, T c) { return add_integer(mul24_lo(a, b), c); }));
  forms.push_back(
      typed<T>("mad24.hi" + end, type, 3, [](T a, T b, T c) { return add_integer(mul24_hi(a, b), c); }));
}

/// Chains that put the flag into the result.
template <typename T>
void add_carries(std::vector<Form>& forms, ScalarType type, const std::string& scratch) {
  const std::string end = name_of(type);
  const auto chain = [&](const std::string& name, const std::string& first, const std::string& second,
                         auto function) {
    forms.push_back(
        scalar_form(name + end, first + end + " " + scratch + ", $0, $1; " + second + end + " $d, $2, $3;",
                    {type, type, type, type}, type, kExact, [=](const Operands& x) {
                      return static_cast<std::uint64_t>(function(static_cast<T>(x[0]), static_cast<T>(x[1]),
                                                                 static_cast<T>(x[2]), static_cast<T>(x[3])));
                    }));
  };
  chain("add.cc addc", "add.cc", "addc",
        [](T a, T b, T c, T d) { return add_carry(c, d, add_carry(a, b, false).carry).value; });
  chain("sub.cc subc", "sub.cc", "subc",
        [](T a, T b, T c, T d) { return sub_borrow(c, d, sub_borrow(a, b, false).carry).value; });
  // mad.lo.cc's carry is that of its sum; madc.hi adds the product's high part.
  forms.push_back(scalar_form(
      "mad.lo.cc madc.hi" + end,
      "mad.lo.cc" + end + " " + scratch + ", $0, $1, $2; madc.hi" + end + " $d, $0, $1, $3;",
      {type, type, type, type}, type, kExact, [](const Operands& x) {
        const T a = static_cast<T>(x[0]);
        const T b = static_cast<T>(x[1]);
        const bool carry = add_carry(mul_lo(a, b), static_cast<T>(x[2]), false).carry;
        return static_cast<std::uint64_t>(add_carry(mul_hi(a, b), static_cast<T>(x[3]), carry).value);
      }));
}

void add_saturating_and_pairs(std::vector<Form>& forms) {
  using I = std::int32_t;
  forms.push_back(typed<I>("add.sat.s32", s32, 2, [](I a, I b, I) { return add_integer(a, b, true); }));
  forms.push_back(typed<I>("sub.sat.s32", s32, 2, [](I a, I b, I) { return sub_integer(a, b, true); }));
  forms.push_back(typed<I>("mad.hi.sat.s32", s32, 3, [](I a, I b, I c) { return mad_hi_sat(a, b, c); }));
  forms.push_back(typed<I>("mad24.hi.sat.s32", s32, 3,
                           [](I a, I b, I c) { return add_integer(mul24_hi(a, b), c, true); }));
  const auto pair = [&](const std::string& name, auto function) {
    forms.push_back(scalar_form(name, "", {b32, b32}, b32, kExact, [=](const Operands& x) {
      const auto one = [&](int shift) {
        return static_cast<std::uint32_t>(static_cast<std::uint16_t>(function(x[0] >> shift, x[1] >> shift)));
      };
      return one(0) | one(16) << 16;
    }));
  };
  pair("add.u16x2", [](std::uint64_t a, std::uint64_t b) { return a + b; });
  pair("min.s16x2", [](std::uint64_t a, std::uint64_t b) {
    return std::min(static_cast<std::int16_t>(a), static_cast<std::int16_t>(b));
  });
  pair("max.u16x2", [](std::uint64_t a, std::uint64_t b) {
    return std::max(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
  });
  pair("max.s16x2.relu", [](std::uint64_t a, std::uint64_t b) {
    return std::max<std::int16_t>(0, std::max(static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)));
  });
  forms.push_back(typed<I>("min.relu.s32", s32, 2, [](I a, I b, I) { return std::max(0, std::min(a, b)); }));
}

}  // namespace

std::vector<Form> integer_forms() {
  std::vector<Form> forms;
  add_common<std::uint16_t>(forms, u16);
  add_common<std::int16_t>(forms, s16);
  add_common<std::uint32_t>(forms, u32);
  add_common<std::int32_t>(forms, s32);
  add_common<std::uint64_t>(forms, u64);
  add_common<std::int64_t>(forms, s64);
  add_24_bits<std::uint32_t>(forms, u32);
  add_24_bits<std::int32_t>(forms, s32);
  add_carries<std::uint32_t>(forms, u32, "%t");
  add_carries<std::uint64_t>(forms, u64, "%u");
  add_saturating_and_pairs(forms);
  return forms;
}

}  // namespace kgen::differential
