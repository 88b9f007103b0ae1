#pragma once

#include <string>

namespace kgen::report {

/// What differs between two texts, line by line, as a unified diff with three lines of context: "--- OLD",
/// "+++ NEW" and its hunks, painted where `color`; empty where nothing differs. Control characters are left
/// out.
std::string source_diff(const std::string& old_name, const std::string& old_text, const std::string& new_name,
                        const std::string& new_text, bool color);

}  // namespace kgen::report
