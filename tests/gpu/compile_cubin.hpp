#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::test {

/// `source` compiled by NVRTC for device 0, without kgen's prelude, with the toolkit's headers; `file` is
/// what line numbers are of, where `more` asks for them. Throws with the compiler's log where it does not
/// compile.
std::string compile_cubin(std::string_view source, const std::string& file = "test.cu",
                          const std::vector<std::string>& more = {});

/// The same of tests/gpu/kernels/NAME.cu, once a process.
const std::string& test_cubin(const std::string& name);

}  // namespace kgen::test
