#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kgen::run {

/// A variable in device memory of a cubin, from its symbol table.
struct ElfGlobal {
  std::string name;
  std::string section;       ///< ".nv.global", ".nv.global.init", ".nv.constant3"
  std::uint64_t offset = 0;  ///< in the section
  std::uint64_t bytes = 0;
};

/// Every object symbol of a cubin's .nv.global* and .nv.constant3 sections (PTX ISA: .global and .const
/// variables), local ones included. Empty where `cubin` is no ELF file; a damaged one gives what could be
/// read.
std::vector<ElfGlobal> elf_globals(std::string_view cubin);

}  // namespace kgen::run
