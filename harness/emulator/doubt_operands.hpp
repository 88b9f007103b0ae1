#pragma once

#include "harness/emulator/doubt_flow.hpp"

namespace kgen::emulator {

/// The operands of an instruction as far as doubt goes.
struct DoubtOperands {
  const ptx::Instruction& instr;
  const FindDoubt& find;

  DoubtBytes bytes_of(const ptx::Operand& operand) const;
  /// The registers of an operand, those of its parts too.
  void collect(const ptx::Operand& operand, std::vector<DoubtBytes>& out) const;
  /// Bytes of the operand at `place` as a source, with what makes them count.
  DoubtSource source(std::size_t place, const DoubtBytes& bytes) const;
};

/// The index-th type among the suffixes; Type::Kind::none where there is none.
ptx::Type type_of(const ptx::Instruction& instr, std::size_t index);
inline bool is_signed(const ptx::Type& type) {
  return type.kind == ptx::Type::Kind::signed_int;
}

/// What pure instructions do that leave bytes where they are, or move them (doubt_moves.cpp). False: it is
/// another one.
bool move_bytes(const DoubtOperands& operands, std::vector<DoubtFlow>& flows);

}  // namespace kgen::emulator
