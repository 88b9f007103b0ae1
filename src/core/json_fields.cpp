#include "core/json_fields.hpp"

#include <algorithm>
#include <charconv>

namespace kgen::core {
namespace {

template <class T>
bool reads_as(std::string_view token) {
  T value{};
  const char* begin = token.data();
  const char* end = begin + token.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc{} && stop == end;
}

/// The index behind the text that begins at `quote`.
std::size_t behind_text(std::string_view json, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// The first whole number of a legal JSON text that fits no 64-bit integer. The parser would make it a
/// floating-point number, whose conversion to an integer field has no defined result.
std::string_view whole_number_too_large(std::string_view json) {
  constexpr std::string_view kNumber = "+-.0123456789Ee";
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      at = behind_text(json, at);
      continue;
    }
    const std::size_t end = std::min(json.find_first_not_of(kNumber, at), json.size());
    const std::string_view token = json.substr(at, end - at);
    const bool is_whole = !token.empty() && token.find_first_not_of("-0123456789") == std::string_view::npos;
    if (is_whole && !reads_as<std::int64_t>(token) && !reads_as<std::uint64_t>(token)) return token;
    at = std::max(end, at + 1);
  }
  return {};
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, std::string_view what) {
  KGEN_TRY(nlohmann::json json, read_json(what, [&] { return nlohmann::json::parse(text); }));
  const std::string_view number = whole_number_too_large(text);
  if (number.empty()) return json;
  return fail(ErrorKind::bad_input,
              std::string(what) + ": " + std::string(number.substr(0, 40)) + " fits no 64-bit integer");
}

Result<util::Expr> expr_from(const nlohmann::json& json, const char* field) {
  KGEN_TRY(const std::string text, read_json(field, [&] { return json.at(field).get<std::string>(); }));
  return util::Expr::parse(text);
}

}  // namespace kgen::core
