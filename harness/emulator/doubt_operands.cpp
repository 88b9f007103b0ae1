#include "harness/emulator/doubt_operands.hpp"

namespace kgen::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

/// Whether what another operand holds may make the one at `place` of no account: a value of `selp`, a side of
/// a conjunction or a disjunction of predicates.
bool may_be_thrown_away(const Instruction& instr, std::size_t place) {
  if (place != 1 && place != 2) return false;
  const std::string& word = instr.opcode.front();
  if (word == "selp") return true;
  if (word == "setp") return (instr.has("and") || instr.has("or")) && instr.operands.size() == 4;
  return (word == "and" || word == "or") && instr.opcode.back() == "pred";
}

}  // namespace

Type type_of(const Instruction& instr, std::size_t index) {
  for (std::size_t i = 1; i < instr.opcode.size(); ++i) {
    Type found = ptx::parse_type(instr.opcode[i]);
    if (found.kind != Type::Kind::none && index-- == 0) return found;
  }
  return {};
}

DoubtBytes DoubtOperands::bytes_of(const Operand& operand) const {
  return operand.text.empty() ? DoubtBytes{} : find(operand.text).bytes;
}

void DoubtOperands::collect(const Operand& operand, std::vector<DoubtBytes>& out) const {
  if (const DoubtBytes bytes = bytes_of(operand); bytes.count > 0) out.push_back(bytes);
  for (const Operand& part : operand.parts) collect(part, out);
}

DoubtSource DoubtOperands::source(std::size_t place, const DoubtBytes& bytes) const {
  DoubtSource out{bytes};
  if (!may_be_thrown_away(instr, place)) return out;
  const std::string& word = instr.opcode.front();
  const Operand& other = instr.operands[word == "and" || word == "or" ? 3 - place : 3];
  const DoubtRegister when = other.text.empty() ? DoubtRegister{} : find(other.text);
  if (when.bytes.count == 0) return out;
  out.when = when.slot;
  out.when_doubt = when.bytes;
  const bool counts_where_not = word == "selp" ? place == 2 : word == "or" || instr.has("or");
  out.negated = other.negated != counts_where_not;
  return out;
}

}  // namespace kgen::emulator
