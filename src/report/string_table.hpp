#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kgen::report {

/// Texts that come again and again in a report (shapes, distributions, the stable part of prompts), each kept
/// once.
class StringTable {
 public:
  /// Place of `text` in the table, which begins at 0.
  std::size_t place_of(const std::string& text);
  nlohmann::json to_json() const;

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
};

}  // namespace kgen::report
