#include "cli/number_checks.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace kgen::cli {
namespace {

/// The whole text as a Number; nothing where it is none, or too large for one.
template <class Number>
std::optional<Number> parsed(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace

CLI::Validator positive_number() {
  const auto check = [](const std::string& text) -> std::string {
    const auto value = parsed<double>(text);
    return value && *value > 0 && std::isfinite(*value) ? "" : "is '" + text + "'; expected a number above 0";
  };
  return {check, "POSITIVE"};
}

CLI::Validator whole_number() {
  const auto check = [](const std::string& text) -> std::string {
    return parsed<std::uint64_t>(text)
               ? ""
               : "is '" + text + "'; expected a whole number from 0 to 18446744073709551615";
  };
  return {check, ""};
}

}  // namespace kgen::cli
