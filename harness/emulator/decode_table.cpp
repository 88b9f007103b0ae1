#include "harness/emulator/decode_table.hpp"

namespace kgen::emulator {

InstructionDecoder find_decoder(std::string_view name) {
  static const std::map<std::string_view, InstructionDecoder> all = [] {
    std::map<std::string_view, InstructionDecoder> out;
    for (const auto& table :
         {approx_decoders(), async_decoders(), atomic_decoders(), bit_decoders(), matrix_decoders(),
          mbarrier_decoders(), integer_decoders(), float_decoders(), compare_decoders(), convert_decoders(),
          move_decoders(), memory_decoders(), control_decoders(), video_decoders(), warp_decoders()}) {
      for (const DecoderRow* row = table.begin; row != table.end; ++row) out[row->name] = row->decode;
    }
    return out;
  }();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace kgen::emulator
