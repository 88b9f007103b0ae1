#include "core/plan_problem.hpp"

#include <algorithm>

namespace kgen::core {

std::string PlanProblem::text() const {
  return field + ": got " + (value.empty() ? "\"\"" : value) + ", expected " + expected;
}

std::string shown(std::string_view text, std::size_t limit) {
  std::string out(text.substr(0, limit));
  std::replace_if(out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() > limit) out += "...";
  return out;
}

tl::unexpected<PlanProblem> plan_problem(std::string_view field, std::string_view value,
                                         std::string_view expected) {
  return tl::unexpected(PlanProblem{shown(field), shown(value), shown(expected, 1500)});
}

std::string member(std::string_view field, std::string_view key) {
  const std::string name = key.empty() ? "\"\"" : std::string(key);
  return field.empty() ? name : std::string(field) + "." + name;
}

std::string element(std::string_view field, std::size_t index) {
  return std::string(field) + "[" + std::to_string(index) + "]";
}

}  // namespace kgen::core
