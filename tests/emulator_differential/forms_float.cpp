#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

void add_single(std::vector<Form>& forms, Rounding r, bool ftz) {
  const std::string tail = name_of(r) + when(ftz, ".ftz");
  for (const bool sat : {false, true}) {
    const std::string end = tail + when(sat, ".sat") + ".f32";
    forms.push_back(scalar_form("add" + end, "", {f32, f32}, f32, kExact, [=](const Operands& x) {
      return add_f32(low(x[0]), low(x[1]), r, ftz, sat);
    }));
    forms.push_back(scalar_form("sub" + end, "", {f32, f32}, f32, kExact, [=](const Operands& x) {
      return sub_f32(low(x[0]), low(x[1]), r, ftz, sat);
    }));
    forms.push_back(scalar_form("mul" + end, "", {f32, f32}, f32, kExact, [=](const Operands& x) {
      return mul_f32(low(x[0]), low(x[1]), r, ftz, sat);
    }));
    forms.push_back(scalar_form("fma" + end, "", {f32, f32, f32}, f32, kExact, [=](const Operands& x) {
      return fma_f32(low(x[0]), low(x[1]), low(x[2]), r, ftz, sat);
    }));
  }
  forms.push_back(scalar_form("div" + tail + ".f32", "", {f32, f32}, f32, kExact,
                              [=](const Operands& x) { return div_f32(low(x[0]), low(x[1]), r, ftz); }));
  forms.push_back(scalar_form("rcp" + tail + ".f32", "", {f32}, f32, kExact,
                              [=](const Operands& x) { return rcp_f32(low(x[0]), r, ftz); }));
  forms.push_back(scalar_form("sqrt" + tail + ".f32", "", {f32}, f32, kExact,
                              [=](const Operands& x) { return sqrt_f32(low(x[0]), r, ftz); }));
}

void add_double(std::vector<Form>& forms, Rounding r) {
  const std::string end = name_of(r) + ".f64";
  forms.push_back(scalar_form("add" + end, "", {f64, f64}, f64, kAnyNan,
                              [=](const Operands& x) { return add_f64(x[0], x[1], r); }));
  forms.push_back(scalar_form("sub" + end, "", {f64, f64}, f64, kAnyNan,
                              [=](const Operands& x) { return sub_f64(x[0], x[1], r); }));
  forms.push_back(scalar_form("mul" + end, "", {f64, f64}, f64, kAnyNan,
                              [=](const Operands& x) { return mul_f64(x[0], x[1], r); }));
  forms.push_back(scalar_form("fma" + end, "", {f64, f64, f64}, f64, kAnyNan,
                              [=](const Operands& x) { return fma_f64(x[0], x[1], x[2], r); }));
  forms.push_back(scalar_form("div" + end, "", {f64, f64}, f64, kAnyNan,
                              [=](const Operands& x) { return div_f64(x[0], x[1], r); }));
  forms.push_back(
      scalar_form("rcp" + end, "", {f64}, f64, kAnyNan, [=](const Operands& x) { return rcp_f64(x[0], r); }));
  forms.push_back(scalar_form("sqrt" + end, "", {f64}, f64, kAnyNan,
                              [=](const Operands& x) { return sqrt_f64(x[0], r); }));
}

void add_signs(std::vector<Form>& forms) {
  for (const bool ftz : {false, true}) {
    const std::string end = when(ftz, ".ftz") + ".f32";
    forms.push_back(scalar_form("abs" + end, "", {f32}, f32, kAnyNan,
                                [=](const Operands& x) { return abs_f32(low(x[0]), ftz); }));
    forms.push_back(scalar_form("neg" + end, "", {f32}, f32, kAnyNan,
                                [=](const Operands& x) { return neg_f32(low(x[0]), ftz); }));
  }
  forms.push_back(
      scalar_form("abs.f64", "", {f64}, f64, kAnyNan, [](const Operands& x) { return abs_f64(x[0]); }));
  forms.push_back(
      scalar_form("neg.f64", "", {f64}, f64, kAnyNan, [](const Operands& x) { return neg_f64(x[0]); }));
  forms.push_back(scalar_form("copysign.f32", "", {f32, f32}, f32, kExact,
                              [](const Operands& x) { return copysign_f32(low(x[0]), low(x[1])); }));
  forms.push_back(scalar_form("copysign.f64", "", {f64, f64}, f64, kExact,
                              [](const Operands& x) { return copysign_f64(x[0], x[1]); }));
}

}  // namespace

std::vector<Form> float_forms() {
  std::vector<Form> forms;
  for (const Rounding r : {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp}) {
    add_single(forms, r, false);
    add_single(forms, r, true);
    add_double(forms, r);
  }
  add_signs(forms);
  return forms;
}

}  // namespace kgen::differential
