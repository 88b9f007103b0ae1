#pragma once

// Typed reads of JSON that a server wrote: a field of the wrong type counts as absent. For .cpp files only.

#include <cstdint>
#include <string>
#include <string_view>

#include "util/json.hpp"

namespace kgen::llm {

/// The member, or null where there is none.
const nlohmann::json& json_member(const nlohmann::json& object, std::string_view name);
/// The member as text; empty where it is no string.
std::string json_text(const nlohmann::json& object, std::string_view name);
/// The member as a count; 0 where it is no number or negative.
std::int64_t json_count(const nlohmann::json& object, std::string_view name);

}  // namespace kgen::llm
