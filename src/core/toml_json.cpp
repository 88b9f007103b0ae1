#include "core/toml_json.hpp"

#include <sstream>

#include "util/json.hpp"

namespace kgen::core {

Result<toml::table> read_toml(std::string_view text, std::string_view file) {
  toml::parse_result parsed = toml::parse(text, file);
  if (parsed) return std::move(parsed).table();
  std::ostringstream message;
  message << file << ":" << parsed.error().source().begin.line << ": " << parsed.error().description();
  return fail(ErrorKind::bad_input, message.str());
}

nlohmann::json to_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    nlohmann::json out = nlohmann::json::object();
    for (const auto& [key, value] : *table) out[std::string(key.str())] = to_json(value);
    return out;
  }
  if (const auto* array = node.as_array()) {
    nlohmann::json out = nlohmann::json::array();
    for (const auto& value : *array) out.push_back(to_json(value));
    return out;
  }
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return *value;
  if (const auto value = node.value_exact<double>()) return *value;
  if (const auto value = node.value_exact<bool>()) return *value;
  return nullptr;
}

}  // namespace kgen::core
