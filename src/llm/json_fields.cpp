#include "llm/json_fields.hpp"

#include <algorithm>
#include <limits>

namespace kgen::llm {

const nlohmann::json& json_member(const nlohmann::json& object, std::string_view name) {
  static const nlohmann::json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(std::string(name));
  return found == object.end() ? kNull : *found;
}

std::string json_text(const nlohmann::json& object, std::string_view name) {
  const nlohmann::json& value = json_member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::int64_t json_count(const nlohmann::json& object, std::string_view name) {
  const nlohmann::json& value = json_member(object, name);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  if (value.is_number_unsigned())
    return static_cast<std::int64_t>(std::min(value.get<std::uint64_t>(), kMost));
  if (value.is_number_float()) {
    const double number = value.get<double>();
    return number > 0 && number < static_cast<double>(kMost) ? static_cast<std::int64_t>(number) : 0;
  }
  return value.is_number_integer() ? std::max<std::int64_t>(value.get<std::int64_t>(), 0) : 0;
}

}  // namespace kgen::llm
