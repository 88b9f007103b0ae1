#include "core/json_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

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
std::size_t behind_text(std::string_view text, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// The first whole number of a legal JSON text that fits no 64-bit integer. The parser would make it a
/// floating-point number, whose conversion to an integer field has no defined result.
std::string_view whole_number_too_large(std::string_view text) {
  constexpr std::string_view kNumber = "+-.0123456789Ee";
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = behind_text(text, at);
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of(kNumber, at), text.size());
    const std::string_view token = text.substr(at, end - at);
    const bool is_whole = !token.empty() && token.find_first_not_of("-0123456789") == std::string_view::npos;
    if (is_whole && !reads_as<std::int64_t>(token) && !reads_as<std::uint64_t>(token)) return token;
    at = std::max(end, at + 1);
  }
  return {};
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, std::string_view what) {
  KGEN_TRY(nlohmann::json parsed, read_json(what, [&] { return nlohmann::json::parse(text); }));
  const std::string_view number = whole_number_too_large(text);
  if (number.empty()) return parsed;
  return fail(ErrorKind::bad_input,
              std::string(what) + ": " + std::string(number.substr(0, 40)) + " fits no 64-bit integer");
}

Result<util::Expr> expr_from(const nlohmann::json& object, const char* field) {
  KGEN_TRY(const std::string text, read_json(field, [&] { return object.at(field).get<std::string>(); }));
  return util::Expr::parse(text);
}

nlohmann::json json_of_real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double real_of_json(const nlohmann::json& value) {
  if (!value.is_string()) return value.get<double>();
  const auto text = value.get<std::string>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return kInfinity;
  return text == "-inf" ? -kInfinity : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace kgen::core
