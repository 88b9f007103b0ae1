#pragma once

#include <string>

#include "core/evaluation.hpp"

namespace kgen::cli {

/// What went wrong, for the person who mends it: compiler messages with their lines, each failed check with
/// its worst elements, checks that could not run and why. Empty where all is well.
std::string failures_text(const core::Evaluation& evaluation);

}  // namespace kgen::cli
