#include "core/op_line.hpp"

#include <cctype>
#include <charconv>

namespace kgen::core {
namespace {

constexpr std::string_view kUnknownField = "unknown field '";

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

/// The next name or index of "tensors[1]: dtype: ..." and what is behind it; empty where the path has ended.
std::string_view take_step(std::string_view& rest) {
  std::size_t begin = 0;
  if (rest.starts_with(": ")) begin = 2;
  if (rest.starts_with(".") || rest.starts_with("[")) begin = 1;
  if (rest.substr(begin).starts_with(kUnknownField)) begin += kUnknownField.size();
  std::size_t end = begin;
  while (end < rest.size() && is_name(rest[end])) ++end;
  const std::string_view step = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  if (rest.starts_with("]") || rest.starts_with("'")) rest.remove_prefix(1);
  return step;
}

const toml::node* inside(const toml::node& node, std::string_view step) {
  if (const auto* table = node.as_table()) return table->get(step);
  const auto* array = node.as_array();
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (array == nullptr || error != std::errc() || end != step.data() + step.size()) return nullptr;
  return index < array->size() ? array->get(index) : nullptr;
}

}  // namespace

int line_of_field(const toml::table& file, std::string_view message) {
  const toml::node* node = &file;
  int line = 0;
  for (std::string_view step = take_step(message); !step.empty(); step = take_step(message)) {
    node = inside(*node, step);
    if (node == nullptr) return line;
    if (node->source().begin.line > 0) line = static_cast<int>(node->source().begin.line);
  }
  return line;
}

}  // namespace kgen::core
