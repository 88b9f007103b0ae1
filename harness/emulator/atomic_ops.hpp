#pragma once

#include <cstdint>

#include "harness/emulator/scalar_type.hpp"

namespace kgen::emulator {

enum class AtomicOp { add, inc, dec, min, max, logical_and, logical_or, logical_xor, exch, cas };

/// What atom or red leaves in memory (PTX ISA, "atom"): `old` is there, `b` is the operand, `c` the third one
/// of cas (old == b ? c : old). Values lie in the low bits, higher bits of the operands are ignored. add of
/// f32 flushes subnormals where `ftz`: in global memory, not in shared memory. f16x2 and bf16x2 are two
/// operations.
std::uint64_t atomic_result(AtomicOp op, ScalarType type, std::uint64_t old, std::uint64_t b,
                            std::uint64_t c = 0, bool ftz = false);

}  // namespace kgen::emulator
