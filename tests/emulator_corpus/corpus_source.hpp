#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator_corpus/corpus_case.hpp"
#include "util/error.hpp"

namespace kgen::corpus {

/// PTX of a case's file, and how its kernels are called in it.
struct CompiledFile {
  std::string ptx;
  std::vector<std::pair<std::string, std::string>> lowered;  ///< as the cases name them, as the PTX does
  const std::string& lowered_name(const std::string& kernel) const;
};

/// Compiles kernels/FILE.cu with all kernels that the cases launch, for the case's architecture, once a
/// process. Errors: missing (no NVRTC on this machine), bad_input with the compiler's log.
Result<const CompiledFile*> compiled_file(const Case& of);

}  // namespace kgen::corpus
