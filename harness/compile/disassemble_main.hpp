#pragma once

namespace kgen::compile {

/// Where the role finds the code: a file of its working folder; and the tool: an environment variable.
inline constexpr const char* kCodeFile = "code.cubin";
inline constexpr const char* kToolVariable = "KGEN_DISASSEMBLER";

/// The disassemble role: gives up every right but to read the working folder and the system's libraries, then
/// becomes the tool, which prints its listing to stdout. Returns only where it cannot: 2 without a tool, 5
/// where the sandbox is not in force or the tool does not start (stderr says why).
int disassemble_main();

}  // namespace kgen::compile
