#include "util/closest_names.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace kgen::util {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string closest_names(std::string_view wanted, std::vector<std::string> names, std::size_t limit) {
  // Only a name's beginning counts, so that a hostile name costs nothing.
  const std::string_view key = wanted.substr(0, 64);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  ranked.reserve(names.size());
  for (std::string& name : names) {
    const std::size_t distance = edit_distance(key, std::string_view(name).substr(0, 64));
    ranked.emplace_back(distance, std::move(name));
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  if (ranked.empty()) return "none";
  const std::size_t shown = std::min(limit, ranked.size());
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + ranked[i].second;
  if (shown < ranked.size()) text += " and " + std::to_string(ranked.size() - shown) + " more";
  return text;
}

}  // namespace kgen::util
