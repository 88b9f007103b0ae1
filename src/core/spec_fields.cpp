#include "core/spec_fields.hpp"

#include "core/json_fields.hpp"

namespace kgen::core {
namespace {

const nlohmann::json kNull;

/// A number, also one that JSON writes as a text (json_of_real).
bool is_real(const nlohmann::json& value) {
  return value.is_number() || value == "nan" || value == "inf" || value == "-inf";
}

/// As much of a text as a message can hold, in whole characters.
std::string beginning(const std::string& text) {
  std::size_t size = 200;
  if (text.size() <= size) return text;
  while ((static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size) + "...";
}

bool is_of(const nlohmann::json& value, nlohmann::json::value_t type) {
  using Type = nlohmann::json::value_t;
  if (type == Type::number_float) return is_real(value);
  if (type == Type::number_integer) return value.is_number_integer();
  return value.type() == type;
}

}  // namespace

SpecFields::SpecFields(const nlohmann::json& table, std::string where)
    : table_(table), where_(std::move(where)) {
  if (!table_.is_object())
    problem("", table_.is_null() ? "is missing; expected a table" : "expected a table");
}

void SpecFields::problem(const std::string& field, const std::string& message) {
  if (problem_.empty()) problem_ = where_ + (field.empty() ? "" : ": " + field) + ": " + message;
}

const nlohmann::json* SpecFields::find(const char* key, bool required, nlohmann::json::value_t type,
                                       const char* expected) {
  asked_.insert(key);
  const auto it = table_.is_object() ? table_.find(key) : table_.end();
  if (!table_.is_object() || it == table_.end()) {
    if (required) problem(key, std::string("is missing; expected ") + expected);
    return nullptr;
  }
  if (!is_of(*it, type)) {
    problem(key, "is " + it->dump().substr(0, 80) + "; expected " + expected);
    return nullptr;
  }
  return &*it;
}

std::string SpecFields::text(const char* key) {
  const auto* value = find(key, true, nlohmann::json::value_t::string, "a text");
  return value ? value->get<std::string>() : std::string();
}

std::string SpecFields::text_or(const char* key, std::string fallback) {
  if (const auto* value = find(key, false, nlohmann::json::value_t::string, "a text"))
    return value->get<std::string>();
  return fallback;
}

std::string SpecFields::word_or(const char* key, std::string fallback,
                                const std::vector<std::string>& words) {
  std::string value = text_or(key, std::move(fallback));
  std::string list;
  for (const std::string& word : words) {
    if (word == value) return value;
    list += (list.empty() ? "" : ", ") + word;
  }
  problem(key, "is '" + value + "'; expected one of " + list);
  return words.front();
}

double SpecFields::number_or(const char* key, double fallback) {
  const auto* value = find(key, false, nlohmann::json::value_t::number_float, "a number");
  return value ? real_of_json(*value) : fallback;
}

std::int64_t SpecFields::integer_or(const char* key, std::int64_t fallback) {
  const auto* value = find(key, false, nlohmann::json::value_t::number_integer, "a whole number");
  return value ? value->get<std::int64_t>() : fallback;
}

bool SpecFields::flag_or(const char* key, bool fallback) {
  const auto* value = find(key, false, nlohmann::json::value_t::boolean, "true or false");
  return value ? value->get<bool>() : fallback;
}

std::vector<std::string> SpecFields::texts_or_none(const char* key) {
  std::vector<std::string> out;
  for (const auto& value : array_or_null(key)) {
    if (!value.is_string()) {
      problem(key, "holds " + value.dump().substr(0, 80) + "; expected texts");
      return out;
    }
    out.push_back(value.get<std::string>());
  }
  return out;
}

util::Expr SpecFields::parse_expr(const std::string& field, const std::string& text) {
  auto parsed = util::Expr::parse(text);
  if (parsed) return *std::move(parsed);
  problem(field, "'" + beginning(text) + "' is no expression: " + parsed.error().message);
  return {};
}

util::Expr SpecFields::expr(const char* key) {
  const std::string value = text(key);
  return parse_expr(key, value.empty() ? "0" : value);
}

util::Expr SpecFields::expr_or(const char* key, const char* fallback) {
  return parse_expr(key, text_or(key, fallback));
}

std::vector<util::Expr> SpecFields::exprs(const char* key) {
  std::vector<util::Expr> out;
  int index = 0;
  for (const std::string& value : texts_or_none(key)) {
    out.push_back(parse_expr(key + ("[" + std::to_string(index++) + "]"), value));
  }
  return out;
}

std::map<std::string, double> SpecFields::numbers_or_none(const char* key) {
  std::map<std::string, double> out;
  for (const auto& [name, value] : table_or_null(key).items()) {
    if (!value.is_number())
      problem(key + ("." + name), "is " + value.dump().substr(0, 80) + "; expected a number");
    out[name] = value.is_number() ? value.get<double>() : 0.0;
  }
  return out;
}

const nlohmann::json& SpecFields::table_or_null(const char* key) {
  const auto* value = find(key, false, nlohmann::json::value_t::object, "a table");
  return value ? *value : kNull;
}

const nlohmann::json& SpecFields::array_or_null(const char* key) {
  const auto* value = find(key, false, nlohmann::json::value_t::array, "a list");
  return value ? *value : kNull;
}

Status SpecFields::finish() const {
  if (!problem_.empty()) return fail(ErrorKind::bad_input, problem_);
  for (const auto& [key, value] : table_.items()) {
    if (asked_.contains(key)) continue;
    std::string known;
    for (const std::string& name : asked_) known += (known.empty() ? "" : ", ") + name;
    return fail(ErrorKind::bad_input, where_ + ": unknown field '" + key + "'", "known fields: " + known);
  }
  return {};
}

}  // namespace kgen::core
