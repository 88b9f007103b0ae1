#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/compare_ops.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

constexpr const char* kCompareNames[] = {".eq",  ".ne",  ".lt",  ".le",  ".gt",  ".ge",
                                         ".lo",  ".ls",  ".hi",  ".hs",  ".equ", ".neu",
                                         ".ltu", ".leu", ".gtu", ".geu", ".num", ".nan"};

const FloatFormat& compared_format(ScalarType type) {
  if (type == f64) return kF64;
  return type == f32 ? kF32 : element_of(type) == f16 ? kF16 : kBf16;
}

bool has_compare(ScalarType type, Compare op) {
  const bool equality = op == Compare::eq || op == Compare::ne;
  if (is_float(type)) return !is_unsigned_compare(op);
  if (!is_integer(type)) return equality;  // bits
  if (is_signed_integer(type)) return op <= Compare::ge;
  return op <= Compare::hs;
}

void add_setp(std::vector<Form>& forms, ScalarType type, bool ftz) {
  for (int i = 0; i <= static_cast<int>(Compare::nan); ++i) {
    const auto op = static_cast<Compare>(i);
    if (!has_compare(type, op)) continue;
    const std::string name = std::string("setp") + kCompareNames[i] + when(ftz, ".ftz") + name_of(type);
    forms.push_back(
        scalar_form(name, name + " %p, $0, $1; selp.b32 $d, 1, 0, %p;", {type, type}, u32, kExact,
                    [=](const Operands& x) { return compare(op, type, x[0], x[1], ftz) ? 1u : 0u; }));
  }
}

void add_set(std::vector<Form>& forms) {
  for (const ScalarType to : {u32, s32, f32}) {
    for (const ScalarType from : {s32, u64, f32, f64}) {
      const std::string name = "set.lt" + name_of(to) + name_of(from);
      forms.push_back(scalar_form(name, "", {from, from}, to, kExact, [=](const Operands& x) {
        return set_result(to, compare(Compare::lt, from, x[0], x[1]));
      }));
    }
  }
  for (const auto& [text, bool_op] :
       {std::pair{".and", BoolOp::logical_and}, std::pair{".or", BoolOp::logical_or},
        std::pair{".xor", BoolOp::logical_xor}}) {
    const std::string name = std::string("set.geu") + text + ".u32.f32";
    forms.push_back(scalar_form(name, "setp.ne.b32 %q, $2, 0; " + name + " $d, $0, $1, %q;", {f32, f32, pred},
                                u32, kExact, [op = bool_op](const Operands& x) {
                                  const bool t = compare(Compare::geu, f32, x[0], x[1]);
                                  return set_result(u32, combine(op, t, x[2] != 0));
                                }));
  }
}

void add_choices(std::vector<Form>& forms) {
  for (const bool ftz : {false, true}) {
    const std::string name = std::string("slct") + when(ftz, ".ftz") + ".b32.f32";
    forms.push_back(scalar_form(name, "", {b32, b32, f32}, b32, kExact, [=](const Operands& x) {
      return slct_takes_first_f32(static_cast<std::uint32_t>(x[2]), ftz) ? x[0] : x[1];
    }));
  }
  forms.push_back(scalar_form("slct.b64.s32", "", {b64, b64, s32}, b64, kExact, [](const Operands& x) {
    return static_cast<std::int32_t>(x[2]) >= 0 ? x[0] : x[1];
  }));
  constexpr const char* tests[] = {".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal"};
  for (int i = 0; i < 6; ++i) {
    for (const ScalarType type : {f32, f64}) {
      const std::string name = std::string("testp") + tests[i] + name_of(type);
      forms.push_back(scalar_form(
          name, name + " %p, $0; selp.b32 $d, 1, 0, %p;", {type}, u32, kExact, [=](const Operands& x) {
            return test_float(static_cast<FloatTest>(i), compared_format(type), x[0]) ? 1u : 0u;
          }));
    }
  }
}

void add_min_max(std::vector<Form>& forms, ScalarType type, const MinMaxModifiers& m) {
  const std::string tail =
      when(m.ftz, ".ftz") + when(m.nan, ".NaN") + when(m.xorsign_abs, ".xorsign.abs") + name_of(type);
  const ScalarType element = element_of(type);
  const FloatFormat& format = compared_format(type);
  for (const bool larger : {false, true}) {
    const auto one = [=, &format](std::uint64_t a, std::uint64_t b) {
      return larger ? max_float(format, a, b, m) : min_float(format, a, b, m);
    };
    const auto pair = [one](std::uint32_t a, std::uint32_t b) {
      return static_cast<std::uint32_t>(one(a, b));
    };
    forms.push_back(scalar_form((larger ? "max" : "min") + tail, "", {type, type}, type,
                                type == f64 ? kAnyNan : kExact, [=](const Operands& x) -> std::uint64_t {
                                  if (element == type) return one(x[0], x[1]);
                                  return on_pair(pair, static_cast<std::uint32_t>(x[0]),
                                                 static_cast<std::uint32_t>(x[1]));
                                }));
  }
}

}  // namespace

std::vector<Form> compare_forms() {
  std::vector<Form> forms;
  for (const ScalarType type : {b16, b32, b64, u16, u32, u64, s16, s32, s64, f16, bf16, f32, f64})
    add_setp(forms, type, false);
  add_setp(forms, f32, true);
  add_setp(forms, f16, true);
  add_set(forms);
  add_choices(forms);
  add_min_max(forms, f64, {});
  for (const ScalarType type : {f32, f16, f16x2, bf16, bf16x2}) {
    for (const bool nan : {false, true}) {
      for (const bool xorsign : {false, true}) {
        add_min_max(forms, type, {.nan = nan, .xorsign_abs = xorsign});
        if (element_of(type) != bf16)
          add_min_max(forms, type, {.ftz = true, .nan = nan, .xorsign_abs = xorsign});
      }
    }
  }
  return forms;
}

}  // namespace kgen::differential
