#include "harness/emulator/speculative_loads.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace kgen::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

/// Where a register stands: the instruction, and the operand's place in it.
struct Mention {
  const Instruction* instr;
  std::size_t place;
};
constexpr std::size_t kElsewhere = 99;  ///< a guard, or a part of another operand

using Mentions = std::map<std::string, std::vector<Mention>>;

void add_mentions(const Operand& operand, Mention mention, Mentions& out) {
  if (!operand.text.empty()) out[operand.text].push_back(mention);
  for (const Operand& part : operand.parts) add_mentions(part, {mention.instr, kElsewhere}, out);
}

Mentions mentions_of(const ptx::Function& function) {
  Mentions out;
  for (const Instruction& instr : function.code) {
    for (std::size_t i = 0; i < instr.operands.size(); ++i) {
      const bool is_address = instr.operands[i].kind == Operand::Kind::address;
      add_mentions(instr.operands[i], {&instr, is_address ? kElsewhere : i}, out);
    }
    for (const auto* list : {&instr.results, &instr.arguments})
      for (const Operand& operand : *list) add_mentions(operand, {&instr, kElsewhere}, out);
    if (!instr.guard.empty()) out[instr.guard].push_back({&instr, kElsewhere});
  }
  return out;
}

bool is_of_floats(const Instruction& instr) {
  return instr.opcode.back() == "f32" || instr.opcode.back() == "f64";
}

bool is_candidate(const Instruction& instr) {
  return instr.opcode.front() == "ld" && instr.has("shared") && !instr.has("volatile") &&
         is_of_floats(instr) && instr.operands.size() == 2 && instr.operands[0].kind == Operand::Kind::name &&
         instr.operands[1].kind == Operand::Kind::address && !instr.operands[1].text.starts_with('%');
}

/// Arithmetic that hands a NaN on.
bool hands_on(const Instruction& instr) {
  constexpr std::array kWords = {"add", "sub", "mul", "fma", "neg", "abs"};
  return is_of_floats(instr) && instr.guard.empty() && !instr.has("sat") &&
         std::ranges::find(kWords, instr.opcode.front()) != kWords.end();
}

bool is_thrown_away(const Instruction& load, const Mentions& mentions) {
  std::vector<std::string> waiting = {load.operands[0].text};
  std::set<std::string> seen(waiting.begin(), waiting.end());
  bool is_selected = false;
  while (!waiting.empty()) {
    const std::string name = waiting.back();
    waiting.pop_back();
    for (const Mention& mention : mentions.at(name)) {
      const Instruction& instr = *mention.instr;
      if (&instr == &load || (mention.place == 0 && hands_on(instr))) continue;  // where it is written
      if (instr.opcode.front() == "selp" && (mention.place == 1 || mention.place == 2)) {
        is_selected = true;
      } else if (hands_on(instr) && mention.place != kElsewhere) {
        const std::string& result = instr.operands[0].text;
        if (seen.insert(result).second) waiting.push_back(result);
      } else {
        return false;
      }
    }
  }
  return is_selected;
}

}  // namespace

std::set<const Instruction*> speculative_loads(const ptx::Function& function) {
  const bool has_any = std::ranges::any_of(function.code, is_candidate);
  if (!has_any) return {};
  const Mentions mentions = mentions_of(function);
  std::set<const Instruction*> out;
  for (const Instruction& instr : function.code) {
    if (is_candidate(instr) && is_thrown_away(instr, mentions)) out.insert(&instr);
  }
  return out;
}

}  // namespace kgen::emulator
