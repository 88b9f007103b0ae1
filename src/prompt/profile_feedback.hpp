#pragma once

#include <string>

#include "core/profile.hpp"

namespace kgen::prompt {

/// A profile for the model that wrote the candidate: what its time goes to with lines and advice, where warps
/// wait, each kernel's page. `source` is quoted where lines are named; empty: lines are numbers only.
std::string profile_text(const core::Profile& profile, const std::string& source);

}  // namespace kgen::prompt
