#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/compile/compile_request.hpp"
#include "util/error.hpp"

namespace kgen::compile {

/// The lines that come before everything that differs from candidate to candidate: the prelude, then those of
/// `includes` that are worth precompiling, in canonical order, then `#pragma nv_hdrstop`. Equal texts share
/// one precompiled header. `exists` tells whether a header of that name is in the include folders: one that
/// is not stays where the candidate has it, so that the error names the candidate's line.
std::string preamble(const std::vector<std::string>& includes,
                     const std::function<bool(const std::string&)>& exists);

/// preamble, macros, type aliases, `#line 1 "kernel.cu"`, the candidate, and one line a kernel that asks for
/// its type. Errors: bad_input for macro names, tensor names or dtypes that are not usable (kgen's own
/// mistakes).
Result<std::string> translation_unit(const CompileRequest& request, const std::string& preamble);

}  // namespace kgen::compile
