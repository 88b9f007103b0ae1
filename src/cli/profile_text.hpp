#pragma once

#include <string>

#include "core/profile.hpp"

namespace kgen::cli {

/// A profile for a person: the diagnosis with advice and source lines, each kernel's page, where its warps
/// wait line by line, and what could not be had. `all`: every metric too.
std::string profile_page_text(const core::Profile& profile, const std::string& source, bool all);

}  // namespace kgen::cli
