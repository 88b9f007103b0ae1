#pragma once

#include "harness/compile/compile_request.hpp"
#include "harness/compile/compiler_log.hpp"
#include "harness/compile/nvrtc_program.hpp"

namespace kgen::compile {

/// Asks NVRTC for the lowered names of the request's kernels and of their signatures.
void add_kernel_names(const CompileRequest& request, Program& program);

/// Fills result.kernels of a compile that succeeded: names, parameters (their sizes compared with the PTX),
/// launch bounds and ptxas's resources. Sets result.failure where a name is no kernel.
void read_kernels(const CompileRequest& request, const Program& program, const std::string& ptx,
                  const CompilerLog& log, CompileResult& result);

}  // namespace kgen::compile
