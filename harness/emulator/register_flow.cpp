#include "harness/emulator/register_flow.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace kgen::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using FlowKind = RegisterFlow::Kind;

constexpr std::string_view kPure[] = {
    "abs",  "add",  "and",  "bfe",   "bfi",   "bfind", "bmsk",  "brev", "clz",  "cnot", "copysign",
    "cos",  "cvt",  "cvta", "div",   "dp2a",  "dp4a",  "ex2",   "fma",  "fns",  "lg2",  "lop3",
    "mad",  "max",  "min",  "mov",   "mul",   "mul24", "mad24", "neg",  "not",  "or",   "popc",
    "prmt", "rcp",  "rem",  "rsqrt", "sad",   "selp",  "set",   "setp", "shf",  "shl",  "shr",
    "sin",  "slct", "sqrt", "sub",   "szext", "testp", "tanh",  "xor",  "vadd", "vsub", "vmad"};

FlowKind kind_of(const Instruction& instr) {
  const std::string& word = instr.opcode.front();
  if (word == "ld" || word == "st") return FlowKind::memory;
  const bool is_pure = std::ranges::find(kPure, word) != std::end(kPure) && !instr.has("cc");
  return is_pure ? FlowKind::pure : FlowKind::other;
}

std::string full_name(const ptx::Function& function, int scope, const std::string& name) {
  const std::string stem =
      name.substr(0, name.find_last_not_of("0123456789") + 1);  // %r<5> is declared as %r
  for (; scope > 0; scope = function.scopes[static_cast<std::size_t>(scope)].parent) {
    const auto& known = function.scopes[static_cast<std::size_t>(scope)].variables;
    if (known.contains(name) || known.contains(stem)) return name + "@" + std::to_string(scope);
  }
  return name;
}

bool has_result(const Instruction& instr) {
  return instr.opcode.front() != "st" && !instr.operands.empty() &&
         instr.operands.front().kind != Operand::Kind::address;
}

}  // namespace

RegisterFlow flow_of(const ptx::Function& function, const Instruction& instr) {
  RegisterFlow out;
  out.kind = kind_of(instr);
  const bool writes = has_result(instr);
  const auto add = [&](const Operand& operand, std::size_t place, const auto& self) -> void {
    if (!operand.text.empty()) {
      const std::string name = full_name(function, instr.scope, operand.text);
      if (writes && place == 0) {
        out.results.push_back(name);
      } else {
        out.sources.push_back({name, place});
      }
    }
    for (const Operand& part : operand.parts) self(part, place, self);
  };
  for (std::size_t i = 0; i < instr.operands.size(); ++i) add(instr.operands[i], i, add);
  for (const auto* list : {&instr.results, &instr.arguments})
    for (const Operand& operand : *list) add(operand, instr.operands.size(), add);
  return out;
}

std::string guard_of(const ptx::Function& function, const Instruction& instr) {
  return instr.guard.empty() ? "" : full_name(function, instr.scope, instr.guard);
}

bool may_be_thrown_away(const Instruction& instr, std::size_t place) {
  if (place != 1 && place != 2) return false;
  const std::string& word = instr.opcode.front();
  if (word == "selp") return true;
  if (word == "setp") return (instr.has("and") || instr.has("or")) && instr.operands.size() == 4;
  return (word == "and" || word == "or") && instr.opcode.back() == "pred";
}

}  // namespace kgen::emulator
