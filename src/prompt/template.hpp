#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "util/error.hpp"

namespace kgen::prompt {

/// What a template may name: texts, flags for sections, and lists of further values.
struct Values {
  std::map<std::string, std::string> texts;
  std::map<std::string, bool> flags;
  std::map<std::string, std::vector<Values>> lists;
};

/// The mustache template `text` filled in. Nothing is escaped. Errors: bad_input for a template that does not
/// parse, and for a name that `values` does not have (a section's too); `name` is the template's, for the
/// message.
Result<std::string> render(std::string_view name, const std::string& text, const Values& values);

}  // namespace kgen::prompt
