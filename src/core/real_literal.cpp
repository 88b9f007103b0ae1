#include "core/real_literal.hpp"

#include <charconv>

namespace kgen::core {

std::optional<double> real_literal(const Argument& argument) {
  if (argument.type != "f32" && argument.type != "f64") return std::nullopt;
  const char* const end = argument.text.data() + argument.text.size();
  double value = 0;
  const auto [stop, status] = std::from_chars(argument.text.data(), end, value);
  if (status != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace kgen::core
