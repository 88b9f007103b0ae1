#include "report/string_table.hpp"

#include "util/json.hpp"

namespace kgen::report {

std::size_t StringTable::place_of(const std::string& text) {
  const auto [found, is_new] = places_.emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  return found->second;
}

nlohmann::json StringTable::to_json() const {
  return texts_;
}

}  // namespace kgen::report
