#pragma once

#include <string>
#include <string_view>

namespace kgen::test {

/// `source` compiled by NVRTC for device 0, without kgen's prelude. Throws with the compiler's log where it
/// does not compile.
std::string compile_cubin(std::string_view source);

/// The same of tests/gpu/kernels/NAME.cu, once a process.
const std::string& test_cubin(const std::string& name);

}  // namespace kgen::test
