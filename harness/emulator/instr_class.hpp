#pragma once

#include <string_view>

namespace kgen::emulator {

/// What an instruction counts as in the mix, in Nsight Compute's words.
struct InstrClass {
  std::string_view kind;       ///< fp32, integer, memory, ...
  std::string_view operation;  ///< fadd, fmul, ffma, dadd .. hfma; empty: none of them
  double flops = 0;            ///< of one lane; of a matrix product all lanes share: a 32nd of its operations
  std::string_view tensor;     ///< of a matrix product, the type: "bf16_dst_fp32"; empty: none
};

/// Of an instruction by its whole name: "fma.rn.f32", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32".
InstrClass class_of(std::string_view name);

/// Whether a part of the name between dots is `word`: "global" of "ld.global.f32".
bool has_part(std::string_view name, std::string_view word);

}  // namespace kgen::emulator
