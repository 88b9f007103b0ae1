#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "core/profile.hpp"
#include "util/error.hpp"

namespace kgen::compile {

/// nvdisasm in a toolkit's folder or $PATH; empty: none. (cuobjdump prints machine code by starting nvdisasm,
/// so it helps nobody who has not this.)
std::string find_disassembler();

/// How the disassembler is run over a stranger's code: in a process of its own that has the sandbox of the
/// compile role and becomes the tool.
struct DisassemblerSetup {
  std::string tool;                  ///< path of nvdisasm
  std::vector<std::string> command;  ///< such as {"/usr/bin/kgen-worker", "disassemble"}
  std::chrono::milliseconds limit{5000};
  std::size_t most_bytes = std::size_t{32} << 20;  ///< of its listing
};

/// Counts the machine instructions of a cubin by kernel (mangled names; see count_instructions). Errors:
/// missing, where there is no tool, no sandbox, or the tool failed, took too long or said too much.
Result<std::map<std::string, core::Metrics>> count_machine_code(const DisassemblerSetup& setup,
                                                                const std::string& cubin);

}  // namespace kgen::compile
