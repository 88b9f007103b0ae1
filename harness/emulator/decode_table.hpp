#pragma once

#include "harness/emulator/function_decoder.hpp"

/// Decoders of instructions by their first word, a file a theme.
namespace kgen::emulator {

struct DecoderRow {
  std::string_view name;
  InstructionDecoder decode;
};
struct DecoderTable {
  const DecoderRow* begin = nullptr;
  const DecoderRow* end = nullptr;
};

DecoderTable approx_decoders();
DecoderTable integer_decoders();
DecoderTable float_decoders();
DecoderTable async_decoders();
DecoderTable atomic_decoders();
DecoderTable bit_decoders();
DecoderTable compare_decoders();
DecoderTable matrix_decoders();
DecoderTable mbarrier_decoders();
DecoderTable convert_decoders();
DecoderTable move_decoders();
DecoderTable memory_decoders();
DecoderTable control_decoders();
DecoderTable video_decoders();
DecoderTable warp_decoders();

void decode_carry(FunctionDecoder& decoder);  ///< add.cc and its kin
void decode_call(FunctionDecoder& decoder);
void decode_block_barrier(FunctionDecoder& decoder);  ///< bar and barrier of a block

// Parts of instructions that several themes share (add is an integer's and a float's).
bool decode_float_arithmetic(FunctionDecoder& decoder);  ///< false: the type is no float

/// set on pairs of f16 or bf16, or into one of them; false: another one.
bool decode_set_half(FunctionDecoder& decoder);

/// Pairs of 16-bit integers, .relu and .sat of a high product; false: the instruction is none of these.
bool decode_rare_integer(FunctionDecoder& decoder);

}  // namespace kgen::emulator
