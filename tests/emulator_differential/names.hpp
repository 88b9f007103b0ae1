#pragma once

#include <string>

#include "harness/emulator/arith_rounding.hpp"
#include "harness/emulator/scalar_type.hpp"

namespace kgen::differential {

/// ".rn".
inline std::string name_of(emulator::Rounding rounding) {
  constexpr const char* names[] = {".rn", ".rz", ".rm", ".rp", ".rna"};
  return names[static_cast<int>(rounding)];
}
/// ".f16x2".
inline std::string name_of(emulator::ScalarType type) {
  constexpr const char* names[] = {".pred", ".b8",    ".b16",    ".b32",    ".b64",   ".b128", ".u8",
                                   ".u16",  ".u32",   ".u64",    ".s8",     ".s16",   ".s32",  ".s64",
                                   ".f16",  ".f16x2", ".bf16",   ".bf16x2", ".tf32",  ".f32",  ".f64",
                                   ".e4m3", ".e5m2",  ".e4m3x2", ".e5m2x2", ".u16x2", ".s16x2"};
  return names[static_cast<int>(type)];
}
inline std::string when(bool condition, const char* text) {
  return condition ? text : "";
}

}  // namespace kgen::differential
