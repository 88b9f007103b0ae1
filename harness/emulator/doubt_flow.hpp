#pragma once

#include <functional>

#include "harness/emulator/doubt_rule.hpp"
#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator {

/// A register by name: its doubt and its slot. Of what is no register `bytes.count` is 0.
struct DoubtRegister {
  DoubtBytes bytes;
  U32 slot = 0;
};
using FindDoubt = std::function<DoubtRegister(const std::string& name)>;

/// Whether a load may find bytes of shared or local memory that nothing has written without a stop. What is
/// volatile or synchronises may not, nor global memory, as with `compute-sanitizer --tool initcheck`.
bool may_find_unwritten(const ptx::Instruction& instr);

/// What an instruction does with doubt. Pure ones hand it on, byte by byte where they move bytes (mov, prmt,
/// shifts by a number, cvt of integers), else to all of their results; values that another operand may make
/// of no account (selp, and.pred, or.pred, setp.and) where they are of account. Everything else stops:
/// stores, addresses, guards, atomics, what lanes do together.
DoubtRule doubt_rule(const ptx::Instruction& instr, const FindDoubt& find);

}  // namespace kgen::emulator
