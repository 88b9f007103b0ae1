#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/compile/compile_request.hpp"
#include "harness/compile/compiler_log.hpp"

namespace kgen::compile {

/// The log's messages as diagnostics of the candidate: its own lines by number; messages about headers say
/// which header, at the candidate's line that led there where it is known. Messages about kgen's own lines
/// are left out.
std::vector<core::Diagnostic> candidate_diagnostics(
    const CompilerLog& log, const CompileRequest& request, const std::string& ptx,
    const std::function<std::string(const std::string&)>& short_name);

/// Sets failure and message of a compile that NVRTC refused.
void explain_failure(const CompilerLog& log, const CompileRequest& request, CompileResult& result);

/// Fills the source lines of diagnostics, and the message where there is none: the first error and how many
/// more.
void complete_diagnostics(const std::string& source, CompileResult& result);

/// "its __global__ functions are: a, b", for messages.
std::string existing_kernels(const std::string& source);

}  // namespace kgen::compile
