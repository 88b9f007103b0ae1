// Any text may stand in a launch plan: parsing and evaluating it must end in a value or an error that says
// something.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "util/expr.hpp"

namespace {

kgen::util::Scope scope() {
  kgen::util::Scope result;
  result.value = [](std::string_view name) -> std::optional<std::int64_t> {
    if (name == "M") return 4096;
    if (name == "low") return INT64_MIN;
    if (name == "high") return INT64_MAX;
    return std::nullopt;
  };
  result.of_name = [](std::string_view function, std::string_view) -> std::optional<std::int64_t> {
    return function == "sizeof" ? std::optional<std::int64_t>(2) : std::nullopt;
  };
  result.names = [] { return std::vector<std::string>{"M", "low", "high"}; };
  return result;
}

void require(bool holds) {
  if (!holds) std::abort();
}

void require_good(const kgen::Error& error) {
  require(error.kind == kgen::ErrorKind::bad_input && !error.message.empty() && error.message.size() < 400);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto expr = kgen::util::Expr::parse(text);
  if (!expr) {
    require_good(expr.error());
    return 0;
  }
  const auto first = expr->evaluate(scope());
  const auto second = expr->evaluate(scope());
  require(first.has_value() == second.has_value());
  if (first)
    require(*first == *second);
  else
    require_good(first.error());
  return 0;
}
