#include <sstream>

#include "core/op.hpp"
#include "core/op_line.hpp"
#include "util/file.hpp"
#include "util/json.hpp"
#include "util/toml.hpp"

namespace kgen::core {
namespace {

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
  return nullptr;  // dates and times: no field takes them
}

}  // namespace

Result<Op> parse_op(std::string_view op_toml, std::string_view reference_cu, std::string_view file) {
  const toml::parse_result parsed = toml::parse(op_toml, file);
  if (!parsed) {
    std::ostringstream message;
    message << file << ":" << parsed.error().source().begin.line << ": " << parsed.error().description();
    return fail(ErrorKind::bad_input, message.str());
  }
  nlohmann::json json = to_json(parsed.table());
  for (const char* reserved : {"__file", "reference_cu", "hash"}) {
    if (json.contains(reserved))
      return fail(ErrorKind::bad_input, std::string(file) + ": unknown field '" + reserved + "'");
  }
  json["__file"] = file;
  json["reference_cu"] = reference_cu;
  json["hash"] = util::content_hash(std::string(op_toml) + '\n' + std::string(reference_cu));
  auto op = op_from_json(json);
  if (op) return op;
  Error error = std::move(op).error();
  const std::string prefix = std::string(file) + ": ";
  if (!error.message.starts_with(prefix)) return tl::unexpected(std::move(error));
  const std::string rest = error.message.substr(prefix.size());
  if (const int line = line_of_field(parsed.table(), rest); line > 0)
    error.message = std::string(file) + ":" + std::to_string(line) + ": " + rest;
  return tl::unexpected(std::move(error));
}

}  // namespace kgen::core
