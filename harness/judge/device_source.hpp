#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "util/embedded.hpp"

namespace kgen::judge {

/// CUDA C++ of the judge's kernels (kgen_fill, kgen_compare, kgen_hash, kgen_find_other): the shared headers
/// in one text, then kernels/judge.cu. Includes nothing.
std::string device_source();

/// The text of torch_server.py.
std::string_view torch_server_source();
/// The text of oracle_server.py.
std::string_view oracle_server_source();
/// The text of torch_agreement.py.
std::string_view torch_agreement_source();
/// What a reference.py of an imported PyTorch module imports (docs/ops/pytorch.md): the files kgen_*.py.
std::vector<util::EmbeddedFile> module_library();

}  // namespace kgen::judge
