#include "harness/emulator/doubt_flow.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "harness/emulator/doubt_operands.hpp"

namespace kgen::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

/// The results follow from the sources, lane by lane, and nothing else happens.
constexpr std::string_view kPure[] = {
    "abs",  "add",  "and",  "bfe",   "bfi",   "bfind", "bmsk",  "brev", "clz",  "cnot", "copysign",
    "cos",  "cvt",  "cvta", "div",   "dp2a",  "dp4a",  "ex2",   "fma",  "fns",  "lg2",  "lop3",
    "mad",  "max",  "min",  "mov",   "mul",   "mul24", "mad24", "neg",  "not",  "or",   "popc",
    "prmt", "rcp",  "rem",  "rsqrt", "sad",   "selp",  "set",   "setp", "shf",  "shl",  "shr",
    "sin",  "slct", "sqrt", "sub",   "szext", "testp", "tanh",  "xor",  "vadd", "vsub", "vmad"};

bool is_pure(const Instruction& instr) {
  return std::ranges::find(kPure, instr.opcode.front()) != std::end(kPure) && !instr.has("cc");
}

bool has_result(const Instruction& instr) {
  constexpr std::array<std::string_view, 4> kNone = {"st", "bra", "brx", "nanosleep"};
  const std::string& word = instr.opcode.front();
  if (instr.operands.empty() || instr.operands.front().kind == Operand::Kind::address) return false;
  if ((word == "bar" || word == "barrier") && !instr.has("red")) return false;
  return std::ranges::find(kNone, word) == kNone.end();
}

class RuleOf {
 public:
  RuleOf(const Instruction& instr, const FindDoubt& find) : operands_{instr, find}, instr_(instr) {}

  DoubtRule run() {
    if (!instr_.guard.empty()) rule_.guard = operands_.find(instr_.guard).bytes;
    if (has_result(instr_)) operands_.collect(instr_.operands.front(), results_);
    if (instr_.opcode.front() == "st") {
      stop_store();
    } else if (!is_pure(instr_)) {
      for (std::size_t i = has_result(instr_) ? 1 : 0; i < instr_.operands.size(); ++i)
        stop_all(instr_.operands[i]);
      if (!results_.empty()) rule_.flows.push_back({{}, results_});
      if (instr_.opcode.front() == "ld") note_load();
    } else if (!move_bytes(operands_, rule_.flows)) {
      mix();
    }
    return std::move(rule_);
  }

 private:
  void stop_all(const Operand& operand) {
    std::vector<DoubtBytes> all;
    operands_.collect(operand, all);
    for (const DoubtBytes& bytes : all) rule_.stops.push_back({bytes});
  }

  /// The address, and of the values as many bytes as are stored.
  void stop_store() {
    if (instr_.operands.size() < 2) return;
    stop_all(instr_.operands[0]);
    const auto stored = static_cast<U32>(type_of(instr_, 0).bytes);
    std::vector<DoubtBytes> values;
    operands_.collect(instr_.operands[1], values);
    for (DoubtBytes& bytes : values) {
      bytes.count = std::min(bytes.count, stored);
      rule_.stops.push_back({bytes});
    }
  }

  void note_load() {
    const Operand& to = instr_.operands.front();
    if (to.kind != Operand::Kind::vector) rule_.loaded.push_back(operands_.bytes_of(to));
    for (const Operand& part : to.parts) rule_.loaded.push_back(operands_.bytes_of(part));
    rule_.sign_extends = is_signed(type_of(instr_, 0));
  }

  /// Whatever is in doubt of the sources puts all of the results in doubt.
  void mix() {
    DoubtFlow flow{{}, results_};
    for (std::size_t i = 1; i < instr_.operands.size(); ++i) {
      std::vector<DoubtBytes> read;
      operands_.collect(instr_.operands[i], read);
      for (const DoubtBytes& bytes : read) flow.from.push_back(operands_.source(i, bytes));
    }
    if (!flow.to.empty()) rule_.flows.push_back(std::move(flow));
  }

  const DoubtOperands operands_;
  const Instruction& instr_;
  std::vector<DoubtBytes> results_;
  DoubtRule rule_;
};

}  // namespace

bool may_find_unwritten(const Instruction& instr) {
  constexpr std::array<std::string_view, 8> kStrict = {"volatile", "relaxed", "acquire", "mmio",
                                                       "global",   "const",   "param",   "param::entry"};
  return instr.opcode.front() == "ld" &&
         std::ranges::none_of(kStrict, [&](std::string_view word) { return instr.has(word); });
}

DoubtRule doubt_rule(const Instruction& instr, const FindDoubt& find) {
  return RuleOf(instr, find).run();
}

}  // namespace kgen::emulator
