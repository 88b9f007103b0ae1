#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "util/error.hpp"
#include "util/toml.hpp"

namespace kgen::core {

/// The table that `text` holds. Errors: bad_input, with file and line.
Result<toml::table> read_toml(std::string_view text, std::string_view file);

/// The same values as JSON. Dates and times, which no specification takes, become null.
nlohmann::json to_json(const toml::node& node);

}  // namespace kgen::core
