#include <bit>

#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/integer_ops.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

template <typename T>
void add_fields(std::vector<Form>& forms, ScalarType type) {
  const std::string end = name_of(type);
  forms.push_back(scalar_form("bfe" + end, "", {type, u8, u8}, type, kExact, [](const Operands& x) {
    return static_cast<std::uint64_t>(bit_field_extract(static_cast<T>(x[0]), low(x[1]), low(x[2])));
  }));
  for (const bool shift : {false, true}) {
    forms.push_back(
        scalar_form(std::string("bfind") + when(shift, ".shiftamt") + end, "", {type}, u32, kExact,
                    [=](const Operands& x) { return find_leading_bit(static_cast<T>(x[0]), shift); }));
  }
  if constexpr (std::is_unsigned_v<T>) {
    const ScalarType bits = kWidth<T> == 32 ? b32 : b64;
    const std::string plain = name_of(bits);
    forms.push_back(scalar_form("bfi" + plain, "", {bits, bits, u8, u8}, bits, kExact, [](const Operands& x) {
      return static_cast<std::uint64_t>(
          bit_field_insert(static_cast<T>(x[0]), static_cast<T>(x[1]), low(x[2]), low(x[3])));
    }));
    forms.push_back(scalar_form("brev" + plain, "", {bits}, bits, kExact, [](const Operands& x) {
      return static_cast<std::uint64_t>(reverse_bits(static_cast<T>(x[0])));
    }));
    forms.push_back(scalar_form("clz" + plain, "", {bits}, u32, kExact, [](const Operands& x) {
      return static_cast<std::uint64_t>(std::countl_zero(static_cast<T>(x[0])));
    }));
    forms.push_back(scalar_form("popc" + plain, "", {bits}, u32, kExact, [](const Operands& x) {
      return static_cast<std::uint64_t>(std::popcount(static_cast<T>(x[0])));
    }));
  }
}

void add_logic(std::vector<Form>& forms) {
  for (const std::uint32_t table : {0x00u, 0x1au, 0x40u, 0x80u, 0x96u, 0xcau, 0xe8u, 0xfeu, 0xffu}) {
    const std::string number = std::to_string(table);
    forms.push_back(
        scalar_form("lop3.b32 " + number, "lop3.b32 $d, $0, $1, $2, " + number + ";", {b32, b32, b32}, b32,
                    kExact, [=](const Operands& x) { return lop3(low(x[0]), low(x[1]), low(x[2]), table); }));
  }
  constexpr const char* modes[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};
  for (int i = 0; i < 7; ++i) {
    forms.push_back(scalar_form(std::string("prmt.b32") + modes[i], "", {b32, b32, b32}, b32, kExact,
                                [=](const Operands& x) {
                                  return prmt(low(x[0]), low(x[1]), low(x[2]), static_cast<PermuteMode>(i));
                                }));
  }
  for (const bool wrap : {false, true}) {
    const std::string mode = wrap ? ".wrap" : ".clamp";
    forms.push_back(
        scalar_form("shf.l" + mode + ".b32", "", {b32, b32, u32}, b32, kExact,
                    [=](const Operands& x) { return funnel_left(low(x[0]), low(x[1]), low(x[2]), wrap); }));
    forms.push_back(
        scalar_form("shf.r" + mode + ".b32", "", {b32, b32, u32}, b32, kExact,
                    [=](const Operands& x) { return funnel_right(low(x[0]), low(x[1]), low(x[2]), wrap); }));
    forms.push_back(scalar_form("bmsk" + mode + ".b32", "", {u32, u32}, b32, kExact,
                                [=](const Operands& x) { return bmsk(low(x[0]), low(x[1]), wrap); }));
    for (const bool is_signed : {false, true}) {
      forms.push_back(
          scalar_form("szext" + mode + (is_signed ? ".s32" : ".u32"), "", {u32, u32}, u32, kExact,
                      [=](const Operands& x) { return szext(low(x[0]), low(x[1]), is_signed, wrap); }));
    }
  }
  forms.push_back(scalar_form(
      "fns.b32", "and.b32 %t, $1, 31; fns.b32 $d, $0, %t, $2;", {b32, u32, s32}, b32, kExact,
      [](const Operands& x) { return fns(low(x[0]), low(x[1]) & 31u, static_cast<std::int32_t>(x[2])); }));
}

void add_dot_products(std::vector<Form>& forms) {
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      const std::string types = std::string(a ? ".s32" : ".u32") + (b ? ".s32" : ".u32");
      forms.push_back(scalar_form("dp4a" + types, "", {b32, b32, b32}, b32, kExact, [=](const Operands& x) {
        return dp4a(low(x[0]), a, low(x[1]), b, low(x[2]));
      }));
      for (const bool high : {false, true}) {
        forms.push_back(scalar_form(
            std::string("dp2a") + (high ? ".hi" : ".lo") + types, "", {b32, b32, b32}, b32, kExact,
            [=](const Operands& x) { return dp2a(low(x[0]), a, low(x[1]), b, low(x[2]), high); }));
      }
    }
  }
}

}  // namespace

std::vector<Form> bit_forms() {
  std::vector<Form> forms;
  add_fields<std::uint32_t>(forms, u32);
  add_fields<std::int32_t>(forms, s32);
  add_fields<std::uint64_t>(forms, u64);
  add_fields<std::int64_t>(forms, s64);
  add_logic(forms);
  add_dot_products(forms);
  return forms;
}

}  // namespace kgen::differential
