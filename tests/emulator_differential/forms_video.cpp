#include "emulator_differential/form.hpp"
#include "harness/emulator/video_ops.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

std::string sign_name(bool is_signed) {
  return is_signed ? ".s32" : ".u32";
}

struct NamedOp {
  const char* name;
  VideoOp op;
};
constexpr NamedOp kOps[] = {{"vadd", VideoOp::add},
                            {"vsub", VideoOp::sub},
                            {"vabsdiff", VideoOp::absdiff},
                            {"vmin", VideoOp::min},
                            {"vmax", VideoOp::max}};

void push_scalar(std::vector<Form>& forms, const std::string& mnemonic, const std::string& parts,
                 const ScalarVideo& form) {
  const bool third = form.second != SecondOp::none;
  const std::string merge = form.second == SecondOp::merge ? ".b2" : "";
  const std::string text =
      mnemonic + " $d" + merge + ", $0" + parts + ", $1" + parts + (third ? ", $2;" : ";");
  const auto emulate = [=](const Operands& x) { return scalar_video(form, low(x[0]), low(x[1]), low(x[2])); };
  forms.push_back(scalar_form(mnemonic + parts + merge, text, {b32, b32, b32}, b32, kExact, emulate));
}

void add_scalar(std::vector<Form>& forms) {
  for (const NamedOp& named : kOps) {
    for (int signs = 0; signs < 8; ++signs) {
      const bool d = (signs & 1) != 0;
      const bool a = (signs & 2) != 0;
      const bool b = (signs & 4) != 0;
      const std::string types = named.name + sign_name(d) + sign_name(a) + sign_name(b);
      push_scalar(forms, types, "", {.op = named.op, .result_signed = d, .a_signed = a, .b_signed = b});
      push_scalar(forms, types + ".sat", "",
                  {.op = named.op, .result_signed = d, .a_signed = a, .b_signed = b, .sat = true});
      push_scalar(forms, types + ".sat", ".h1",
                  {.op = named.op,
                   .result_signed = d,
                   .a_signed = a,
                   .b_signed = b,
                   .a_part = Part::h1,
                   .b_part = Part::h1,
                   .result_part = Part::b2,
                   .sat = true,
                   .second = SecondOp::merge});
      push_scalar(forms, types + ".add", ".b3",
                  {.op = named.op,
                   .result_signed = d,
                   .a_signed = a,
                   .b_signed = b,
                   .a_part = Part::b3,
                   .b_part = Part::b3,
                   .second = SecondOp::add});
    }
  }
  for (const bool wrap : {false, true}) {
    const std::string mode = wrap ? ".wrap" : ".clamp";
    push_scalar(forms, "vshl.u32.u32.u32" + mode, "", {.op = VideoOp::shl, .wrap = wrap});
    push_scalar(forms, "vshr.s32.s32.u32" + mode, "",
                {.op = VideoOp::shr, .result_signed = true, .a_signed = true, .wrap = wrap});
    push_scalar(forms, "vshr.u32.u32.u32" + mode, ".b1",
                {.op = VideoOp::shr, .a_part = Part::b1, .b_part = Part::b1, .wrap = wrap});
  }
  push_scalar(forms, "vset.s32.u32.lt", "", {.op = VideoOp::set, .a_signed = true, .compare = Compare::lt});
  push_scalar(forms, "vset.s32.s32.ge.add", ".h0",
              {.op = VideoOp::set,
               .a_signed = true,
               .b_signed = true,
               .a_part = Part::h0,
               .b_part = Part::h0,
               .second = SecondOp::add,
               .compare = Compare::ge});
}

void add_mad(std::vector<Form>& forms) {
  const auto push = [&](const std::string& name, const std::string& text, const VideoMad& form) {
    forms.push_back(scalar_form(name, text, {b32, b32, b32}, b32, kExact, [=](const Operands& x) {
      return video_mad(form, low(x[0]), low(x[1]), low(x[2]));
    }));
  };
  push("vmad.u32.u32.u32", "", {});
  push(
      "vmad.s32.s32.s32.sat.shr15", "vmad.s32.s32.s32.sat.shr15 $d, $0.h1, $1.b3, $2;",
      {.a_signed = true, .b_signed = true, .a_part = Part::h1, .b_part = Part::b3, .shift = 15, .sat = true});
  push("vmad.u32.u32.u32.po", "vmad.u32.u32.u32.po $d, $0.b0, $1.b1, $2;",
       {.a_part = Part::b0, .b_part = Part::b1, .plus_one = true});
  push("vmad.s32.s32.u32 -c", "vmad.s32.s32.u32 $d, $0.h0, $1.h0, -$2;",
       {.a_signed = true, .a_part = Part::h0, .b_part = Part::h0, .negate_c = true});
  push("vmad.s32.s32.s32 -a", "vmad.s32.s32.s32 $d, -$0.h0, $1.h0, $2;",
       {.a_signed = true, .b_signed = true, .a_part = Part::h0, .b_part = Part::h0, .negate_product = true});
}

constexpr NamedOp kSimdOps[] = {{"vadd", VideoOp::add},   {"vsub", VideoOp::sub},
                                {"vavrg", VideoOp::avrg}, {"vabsdiff", VideoOp::absdiff},
                                {"vmin", VideoOp::min},   {"vmax", VideoOp::max}};

void add_simd(std::vector<Form>& forms) {
  const auto push = [&](const std::string& name, const std::string& text, const SimdVideo& form) {
    forms.push_back(scalar_form(name, text, {b32, b32, b32}, b32, kExact, [=](const Operands& x) {
      return simd_video(form, low(x[0]), low(x[1]), low(x[2]));
    }));
  };
  for (const NamedOp& named : kSimdOps) {
    for (const int lanes : {2, 4}) {
      for (const bool is_signed : {false, true}) {
        SimdVideo form{.op = named.op,
                       .lanes = lanes,
                       .result_signed = is_signed,
                       .a_signed = is_signed,
                       .b_signed = is_signed};
        if (lanes == 2) {
          form.mask = 3;
          form.a_select = 0x10;
          form.b_select = 0x32;
        }
        const std::string sign = sign_name(is_signed);
        const std::string name = named.name + std::to_string(lanes) + sign + sign + sign;
        push(name, "", form);
        form.sat = true;
        push(name + ".sat", "", form);
        form.sat = false;
        form.accumulate = true;
        push(name + ".add", "", form);
        form.accumulate = false;
        form.mask = lanes == 2 ? 2 : 5;
        form.a_select = lanes == 2 ? 0x31 : 0x7140;
        const std::string text =
            name + (lanes == 2 ? " $d.h1, $0.h31, $1.h32, $2;" : " $d.b20, $0.b7140, $1.b7654, $2;");
        push(name + " selected", text, form);
      }
    }
  }
  push("vset4.u32.u32.gt", "", {.op = VideoOp::set, .compare = Compare::gt});
  push("vset2.s32.s32.le", "",
       {.op = VideoOp::set,
        .lanes = 2,
        .a_signed = true,
        .b_signed = true,
        .mask = 3,
        .a_select = 0x10,
        .b_select = 0x32,
        .compare = Compare::le});
}

}  // namespace

std::vector<Form> video_forms() {
  std::vector<Form> forms;
  add_scalar(forms);
  add_mad(forms);
  add_simd(forms);
  return forms;
}

}  // namespace kgen::differential
