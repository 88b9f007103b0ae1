#pragma once

#include <string>

#include "emulator_corpus/corpus_source.hpp"

namespace kgen::corpus {

/// Runs a case on the GPU of the current context. What is wrong, as problems_on_emulator() says it.
Result<std::string> problems_on_gpu(const Case& of, const CompiledFile& file);

}  // namespace kgen::corpus
