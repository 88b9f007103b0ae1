#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/arith_half.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

/// add, sub, mul and fma of one format, alone and in pairs, with the modifiers that the ISA has for it.
template <const FloatFormat& F>
void add_arithmetic(std::vector<Form>& forms, ScalarType type, ScalarType pair, const HalfModifiers& m) {
  const std::string tail =
      std::string(".rn") + when(m.ftz, ".ftz") + when(m.sat, ".sat") + when(m.relu, ".relu");
  const auto push = [&](const std::string& op, auto function) {
    forms.push_back(scalar_form(op + tail + name_of(type), "", {type, type}, type, kExact,
                                [=](const Operands& x) { return function(low(x[0]), low(x[1])); }));
    forms.push_back(scalar_form(op + tail + name_of(pair), "", {pair, pair}, pair, kExact,
                                [=](const Operands& x) { return on_pair(function, low(x[0]), low(x[1])); }));
  };
  if (!m.relu) {
    push("add", [m](std::uint32_t a, std::uint32_t b) { return add_half<F>(a, b, m); });
    push("sub", [m](std::uint32_t a, std::uint32_t b) { return sub_half<F>(a, b, m); });
    push("mul", [m](std::uint32_t a, std::uint32_t b) { return mul_half<F>(a, b, m); });
  }
  const auto fma = [m](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return fma_half<F>(a, b, c, m); };
  forms.push_back(scalar_form("fma" + tail + name_of(type), "", {type, type, type}, type, kExact,
                              [=](const Operands& x) { return fma(low(x[0]), low(x[1]), low(x[2])); }));
  forms.push_back(
      scalar_form("fma" + tail + name_of(pair), "", {pair, pair, pair}, pair, kExact,
                  [=](const Operands& x) { return on_pair(fma, low(x[0]), low(x[1]), low(x[2])); }));
}

template <const FloatFormat& F>
void add_signs(std::vector<Form>& forms, ScalarType type, ScalarType pair, bool ftz) {
  const std::string tail = when(ftz, ".ftz");
  const auto push = [&](const std::string& op, auto function) {
    forms.push_back(scalar_form(op + tail + name_of(type), "", {type}, type, kAnyNan,
                                [=](const Operands& x) { return function(low(x[0])); }));
    forms.push_back(scalar_form(op + tail + name_of(pair), "", {pair}, pair, kAnyNan,
                                [=](const Operands& x) { return on_pair(function, low(x[0])); }));
  };
  push("abs", [ftz](std::uint32_t a) { return abs_half<F>(a, ftz); });
  push("neg", [ftz](std::uint32_t a) { return neg_half<F>(a, ftz); });
}

}  // namespace

std::vector<Form> half_forms() {
  std::vector<Form> forms;
  for (const bool ftz : {false, true}) {
    add_arithmetic<kF16>(forms, f16, f16x2, {.ftz = ftz});
    add_arithmetic<kF16>(forms, f16, f16x2, {.ftz = ftz, .sat = true});
    add_arithmetic<kF16>(forms, f16, f16x2, {.ftz = ftz, .relu = true});
    add_signs<kF16>(forms, f16, f16x2, ftz);
  }
  add_arithmetic<kBf16>(forms, bf16, bf16x2, {});
  add_arithmetic<kBf16>(forms, bf16, bf16x2, {.relu = true});
  add_signs<kBf16>(forms, bf16, bf16x2, false);
  return forms;
}

}  // namespace kgen::differential
