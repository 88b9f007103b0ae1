#pragma once

#include <string>

namespace kgen::emulator {

/// A variable's name as the source has it: `kernel::tile` of `_ZZ6kernelE4tile`. Other names stay as they
/// are.
std::string shown_name(const std::string& mangled);

}  // namespace kgen::emulator
