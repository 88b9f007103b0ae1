#pragma once

#include <string>

namespace kgen::judge {

/// CUDA C++ of the judge's kernels (kgen_fill, kgen_compare, kgen_hash, kgen_find_other): the shared headers
/// in one text, then kernels/judge.cu. Includes nothing.
std::string device_source();

/// The text of torch_server.py.
std::string_view torch_server_source();

}  // namespace kgen::judge
