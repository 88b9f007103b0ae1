#include <algorithm>

#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/atomic_ops.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

struct AtomicCase {
  const char* name;
  AtomicOp op;
  std::vector<ScalarType> types;
};

const std::vector<AtomicCase>& atomic_cases() {
  static const std::vector<AtomicCase> cases = {
      {"add", AtomicOp::add, {u32, s32, u64, f32, f64, f16, f16x2, bf16, bf16x2}},
      {"inc", AtomicOp::inc, {u32}},
      {"dec", AtomicOp::dec, {u32}},
      {"min", AtomicOp::min, {u32, s32, u64, s64}},
      {"max", AtomicOp::max, {u32, s32, u64, s64}},
      {"and", AtomicOp::logical_and, {b32, b64}},
      {"or", AtomicOp::logical_or, {b32, b64}},
      {"xor", AtomicOp::logical_xor, {b32, b64}},
      {"exch", AtomicOp::exch, {b32, b64}},
      {"cas", AtomicOp::cas, {b16, b32, b64}},
  };
  return cases;
}

bool needs_noftz(ScalarType type) {
  return bits_of(element_of(type)) == 16 && (is_float(type) || element_of(type) != type);
}

/// Stores $0, does the operation on it with $1 (and $2), and reads what is left. In global memory the place
/// is the case's own input, in shared memory its thread's eight bytes.
Form atomic_form(const AtomicCase& atomic, ScalarType type, bool shared) {
  const std::string space = shared ? ".shared" : ".global";
  const std::string name =
      "atom" + space + "." + atomic.name + when(needs_noftz(type), ".noftz") + name_of(type);
  const std::string bits = std::to_string(bits_of(type));
  const std::string operands = atomic.op == AtomicOp::cas ? "$1, $2" : "$1";
  std::string text;
  std::string place = "%in";
  if (shared) {
    text =
        ".shared .align 8 .b8 places[1024];\n.reg .b32 %base, %place;\n"
        "mov.u32 %base, places;\nand.b32 %t, %lane, 127;\nmad.lo.u32 %place, %t, 8, %base;\n"
        "st.shared.b" +
        bits + " [%place], $0;\n";
    place = "%place";
  }
  text += ".reg .b" + bits + " %old;\n" + name + " %old, [" + place + "], " + operands + ";\n";
  text += "ld" + space + ".b" + bits + " $d, [" + place + "];";
  const bool ftz = !shared;
  const auto emulate = [=, op = atomic.op](const Operands& x) {
    return atomic_result(op, type, x[0], x[1], x[2], ftz);
  };
  const Agreement agreement = type == f64 ? kAnyNan : kExact;
  if (atomic.op == AtomicOp::cas)
    return scalar_form(name, text, {type, type, type}, type, agreement, emulate);
  return scalar_form(name, text, {type, type}, type, agreement, emulate);
}

}  // namespace

std::vector<Form> atomic_forms() {
  std::vector<Form> forms;
  for (const AtomicCase& atomic : atomic_cases()) {
    for (const ScalarType type : atomic.types) {
      forms.push_back(atomic_form(atomic, type, false));
      forms.push_back(atomic_form(atomic, type, true));
      if (atomic.op != AtomicOp::cas) continue;
      // A comparison that holds: random operands hardly ever do.
      for (Form* form : {&forms[forms.size() - 1], &forms[forms.size() - 2]}) {
        const auto fill = form->fill;
        form->fill = [fill](support::OperandSource& source, std::byte* in) {
          fill(source, in);
          if (source.random() % 2 == 0) std::copy_n(in, 8, in + 8);
        };
      }
    }
  }
  return forms;
}

}  // namespace kgen::differential
