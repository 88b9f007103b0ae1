#include "config/config_file.hpp"

#include <algorithm>
#include <optional>

#include "util/closest_names.hpp"
#include "util/toml.hpp"

namespace kgen::config {
namespace {

tl::unexpected<Error> at_line(std::string_view file, unsigned line, const std::string& message,
                              std::string hint = {}) {
  return fail(ErrorKind::bad_input, std::string(file) + ":" + std::to_string(line) + ": " + message,
              std::move(hint));
}

bool looks_like_secret(std::string_view key) {
  for (const std::string_view word : {"api_key", "apikey", "token", "secret", "password", "auth"})
    if (key.find(word) != std::string_view::npos) return true;
  return false;
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const Setting& setting : settings()) keys.emplace_back(setting.key);
  return keys;
}

tl::unexpected<Error> unknown_key(std::string_view file, unsigned line, std::string_view key) {
  if (looks_like_secret(key))
    return at_line(file, line, "unknown key '" + std::string(key) + "'",
                   "keys are read from the environment only; api_key_env names the variable");
  return at_line(file, line, "unknown key '" + std::string(key) + "'",
                 "keys are: " + util::closest_names(key, known_keys()));
}

std::optional<Value> scalar_value(const toml::node& node) {
  if (const auto* text = node.as_string()) return Value(text->get());
  if (const auto* number = node.as_integer()) return Value(number->get());
  if (const auto* number = node.as_floating_point()) return Value(number->get());
  if (const auto* flag = node.as_boolean()) return Value(flag->get());
  return std::nullopt;
}

}  // namespace

Result<std::vector<FileEntry>> parse_config_file(std::string_view text, std::string_view file) {
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed)
    return at_line(file, parsed.error().source().begin.line, std::string(parsed.error().description()));
  std::vector<FileEntry> entries;
  for (const auto& [toml_key, node] : parsed.table()) {
    const std::string_view key = toml_key.str();
    const unsigned line = toml_key.source().begin.line;
    const Setting* setting = find_setting(key);
    if (!setting) return unknown_key(file, line, key);
    std::optional<Value> value = scalar_value(node);
    if (!value)
      return at_line(file, line, std::string(key) + " expects one value, not a table, list or date");
    entries.push_back({setting, std::move(*value), static_cast<int>(line)});
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  return entries;
}

}  // namespace kgen::config
