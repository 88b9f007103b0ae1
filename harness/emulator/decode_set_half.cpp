#include <array>

#include "harness/emulator/compare_ops.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"
#include "harness/emulator/scalar_names.hpp"

// set on pairs of f16 and bf16, and set into one of them (PTX ISA, "Half Precision Comparison Instructions",
// "set"): what __heq2, __heq2_mask and h2exp become.
namespace kgen::emulator {
namespace {

constexpr std::array<std::string_view, 18> kNames = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                                     "lo",  "ls",  "hi",  "hs",  "equ", "neu",
                                                     "ltu", "leu", "gtu", "geu", "num", "nan"};

/// choice: Compare, count: BoolOp, space: the type of an operand's part, imm: the result's part where it
/// holds.
template <class T>
void run_set(Warp& warp, const Instr& instr, U32 mask) {
  const auto op = static_cast<Compare>(instr.choice);
  const auto bool_op = static_cast<BoolOp>(instr.count);
  const auto type = static_cast<ScalarType>(instr.space);
  const U32 other = instr.c == kNoSlot ? 0 : warp.predicate(instr.c);
  for_lanes(mask, [&](U32 lane) {
    const T a = warp.at<T>(instr.a)[lane], b = warp.at<T>(instr.b)[lane];
    const bool c = (other >> lane & 1) != static_cast<U32>(instr.flag);
    U32 out = 0;
    for (U32 shift = 0; shift < 8 * sizeof(T); shift += 16) {
      const bool holds = compare(op, type, a >> shift, b >> shift, instr.modifiers.ftz);
      if (combine(bool_op, holds, c)) out |= static_cast<U32>(instr.imm) << shift;
    }
    warp.at<T>(instr.d)[lane] = static_cast<T>(out);
  });
}

/// The comparison and the operator behind it, both by name.
void set_comparison(FunctionDecoder& d, Instr& instr) {
  bool found = false;
  instr.count = static_cast<U8>(BoolOp::none);
  for (const auto& part : d.ast().opcode) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (part != kNames[i]) continue;
      instr.choice = static_cast<U8>(i);
      found = true;
    }
    if (part == "and") instr.count = static_cast<U8>(BoolOp::logical_and);
    if (part == "or") instr.count = static_cast<U8>(BoolOp::logical_or);
    if (part == "xor") instr.count = static_cast<U8>(BoolOp::logical_xor);
  }
  if (!found) d.bad("no comparison in " + d.ast().name());
}

}  // namespace

bool decode_set_half(FunctionDecoder& d) {
  const auto to = scalar_of(d.type(0).name), from = scalar_of(d.type(1).name);
  if (!to || !from) return false;
  const ScalarType part = element_of(*from);
  if (part != ScalarType::f16 && part != ScalarType::bf16) return false;
  const bool pair = part != *from;
  const bool to_integer = *to == ScalarType::u32 || *to == ScalarType::s32;
  if (pair ? !to_integer && *to != *from : *to != part) return false;
  const U32 bytes = pair ? 4 : 2;
  Instr instr = d.instr(pair ? run_set<U32> : run_set<U16>);
  set_comparison(d, instr);
  instr.space = static_cast<U8>(part);
  instr.imm = static_cast<I64>(set_result(to_integer ? ScalarType::u16 : part, true));
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  if (d.operands() > 3) {
    instr.c = d.source(3, 0);
    instr.flag = d.operand(3).negated;
  }
  instr.d = d.target(0, bytes);
  d.emit(instr);
  return true;
}

}  // namespace kgen::emulator
