#include <cmath>
#include <cstring>

#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/approx_ops.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;
using Kind = Agreement::Kind;

/// Bounds are the documented error of the instruction plus the emulator's own rounding.
void add_singles(std::vector<Form>& forms, bool ftz) {
  const std::string end = std::string(".approx") + when(ftz, ".ftz") + ".f32";
  const auto push = [&](const std::string& op, Agreement agreement,
                        std::uint32_t (*function)(std::uint32_t, bool)) {
    forms.push_back(scalar_form(op + end, "", {f32}, f32, agreement,
                                [=](const Operands& x) { return function(low(x[0]), ftz); }));
  };
  push("ex2", {Kind::ulps, 3}, ex2_approx_f32);
  push("rcp", {Kind::ulps, 2}, rcp_approx_f32);
  push("sqrt", {Kind::ulps, 3}, sqrt_approx_f32);
  push("rsqrt", {Kind::ulps, 3}, rsqrt_approx_f32);
  forms.push_back(scalar_form("div.full" + when(ftz, ".ftz") + ".f32", "", {f32, f32}, f32, {Kind::ulps, 3},
                              [=](const Operands& x) { return div_full_f32(low(x[0]), low(x[1]), ftz); }));
}

/// A form whose first operand is kept within what `keep` allows: outside, the ISA gives no bound.
Form limited(Form form, std::function<bool(float)> keep) {
  const auto fill = form.fill;
  form.fill = [=](support::OperandSource& source, std::byte* in) {
    float value = 0;
    do {
      fill(source, in);
      std::memcpy(&value, in, sizeof value);
    } while (!keep(value));
  };
  return form;
}

void add_limited(std::vector<Form>& forms, bool ftz) {
  const std::string end = std::string(".approx") + when(ftz, ".ftz") + ".f32";
  const auto call = [=](std::uint32_t (*function)(std::uint32_t, bool)) {
    return [=](const Operands& x) -> std::uint64_t { return function(low(x[0]), ftz); };
  };
  const auto near_one = [](float x) { return x > 0.5f && x < 2.0f; };
  const auto far_from_one = [near_one](float x) { return !near_one(x); };
  const auto small_angle = [](float x) { return !(std::fabs(x) > 3.1415926f) || std::isinf(x); };
  Form near = scalar_form("lg2" + end + " near 1", "lg2" + end + " $d, $0;", {f32}, f32,
                          {Kind::absolute, 0x1p-21}, call(lg2_approx_f32));
  forms.push_back(limited(std::move(near), near_one));
  forms.push_back(
      limited(scalar_form("lg2" + end, "", {f32}, f32, {Kind::relative, 0x1p-21}, call(lg2_approx_f32)),
              far_from_one));
  forms.push_back(
      limited(scalar_form("sin" + end, "", {f32}, f32, {Kind::absolute, 0x1.8p-20}, call(sin_approx_f32)),
              small_angle));
  forms.push_back(
      limited(scalar_form("cos" + end, "", {f32}, f32, {Kind::absolute, 0x1.8p-20}, call(cos_approx_f32)),
              small_angle));
  // A divisor that is subnormal has no bound without .ftz.
  Form division = scalar_form("div" + end, "", {f32, f32}, f32, {Kind::ulps, 3},
                              [=](const Operands& x) { return div_approx_f32(low(x[0]), low(x[1]), ftz); });
  const auto fill = division.fill;
  division.fill = [=](support::OperandSource& source, std::byte* in) {
    float divisor = 0;
    do {
      fill(source, in);
      std::memcpy(&divisor, in + 8, sizeof divisor);
    } while (divisor != 0.0f && std::fabs(divisor) < 0x1p-126f);
  };
  forms.push_back(std::move(division));
}

}  // namespace

std::vector<Form> approx_forms() {
  std::vector<Form> forms;
  for (const bool ftz : {false, true}) {
    add_singles(forms, ftz);
    add_limited(forms, ftz);
  }
  forms.push_back(scalar_form("tanh.approx.f32", "", {f32}, f32, {Kind::relative, 0x1.1p-11},
                              [](const Operands& x) { return tanh_approx_f32(low(x[0])); }));
  forms.push_back(scalar_form("ex2.approx.f16", "", {f16}, f16, {Kind::ulps, 2},
                              [](const Operands& x) { return ex2_approx_half(kF16, low(x[0]), false); }));
  forms.push_back(scalar_form("ex2.approx.ftz.bf16", "", {bf16}, bf16, {Kind::relative, 0x1p-6},
                              [](const Operands& x) { return ex2_approx_half(kBf16, low(x[0]), true); }));
  forms.push_back(scalar_form("tanh.approx.f16", "", {f16}, f16, {Kind::absolute, 0x1p-10},
                              [](const Operands& x) { return tanh_approx_half(kF16, low(x[0])); }));
  forms.push_back(scalar_form("tanh.approx.bf16", "", {bf16}, bf16, {Kind::absolute, 0x1p-7},
                              [](const Operands& x) { return tanh_approx_half(kBf16, low(x[0])); }));
  forms.push_back(scalar_form("rcp.approx.ftz.f64", "", {f64}, f64, {Kind::relative, 0x1p-19},
                              [](const Operands& x) { return rcp_approx_f64(x[0]); }));
  for (const bool ftz : {false, true}) {
    forms.push_back(scalar_form(std::string("rsqrt.approx") + when(ftz, ".ftz") + ".f64", "", {f64}, f64,
                                ftz ? Agreement{Kind::relative, 0x1p-19} : Agreement{Kind::ulps, 1},
                                [=](const Operands& x) { return rsqrt_approx_f64(x[0], ftz); }));
  }
  return forms;
}

}  // namespace kgen::differential
