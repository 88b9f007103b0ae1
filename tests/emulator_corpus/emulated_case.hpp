#pragma once

#include <string>

#include "emulator_corpus/corpus_source.hpp"

namespace kgen::corpus {

/// Runs a case on the emulator, blocks in the order of `seed`. What is wrong: a report of the emulator, a
/// value, an output nothing wrote, a text of printf; empty: nothing.
std::string problems_on_emulator(const Case& of, const CompiledFile& file, std::uint64_t seed);

}  // namespace kgen::corpus
