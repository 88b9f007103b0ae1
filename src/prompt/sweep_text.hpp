#pragma once

#include <string>

#include "core/sweep.hpp"

namespace kgen::prompt {

/// What became of a candidate's variants, for the model: which one it goes on with, the fastest ones, how the
/// neighbours of the chosen one did (one tunable another), and what was wrong with those that were rejected.
std::string sweep_text(const core::SweepRecord& sweep);

}  // namespace kgen::prompt
