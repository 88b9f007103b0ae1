#include "selftest/trial_table.hpp"

#include <algorithm>
#include <array>

namespace kgen::selftest {
namespace {

/// `text` in a column: cut or filled up.
std::string cell(std::string text, std::size_t width) {
  if (text.size() > width) text = text.substr(0, width - 1) + "~";
  text.resize(width, ' ');
  return text + "  ";
}

std::string row(const std::array<std::string, 6>& cells) {
  constexpr std::array<std::size_t, 5> kWidths = {42, 4, 13, 36, 20};
  std::string line;
  for (std::size_t i = 0; i < kWidths.size(); ++i) line += cell(cells[i], kWidths[i]);
  return line + cells.back() + "\n";
}

std::string verdict_and_kind(const TrialResult& result) {
  return result.kind.empty() ? result.verdict : result.verdict + " (" + result.kind + ")";
}

/// Every outcome, in the order of the enumeration.
std::vector<Outcome> all_outcomes() {
  std::vector<Outcome> outcomes;
  for (int i = 0; i <= static_cast<int>(Outcome::failed); ++i) outcomes.push_back(static_cast<Outcome>(i));
  return outcomes;
}

}  // namespace

std::string table_heading() {
  return row({"kernel", "type", "outcome", "verdict (kind)", "failed checks", "ms"});
}

std::string table_line(const TrialResult& result) {
  std::string line =
      row({result.kernel, result.dtype, std::string(name_of(result.outcome)), verdict_and_kind(result),
           result.caught_by, std::to_string(static_cast<long long>(result.ms))});
  if (is_failure(result.outcome))
    line += "    expected " + result.expected + (result.detail.empty() ? "" : "; " + result.detail) + "\n";
  if (result.outcome == Outcome::not_visible || result.outcome == Outcome::not_checkable)
    line += "    " + result.detail + "\n";
  return line;
}

std::string catcher_of(const TrialResult& result) {
  if (result.outcome != Outcome::caught) return {};
  return result.caught_by.empty() ? result.verdict : result.caught_by.substr(0, result.caught_by.find(','));
}

std::map<std::string, int> caught_by_check(const std::vector<TrialResult>& results) {
  std::map<std::string, int> counts;
  for (const TrialResult& result : results) {
    if (const std::string by = catcher_of(result); !by.empty()) ++counts[by];
  }
  return counts;
}

std::string checks_table(const std::vector<TrialResult>& results) {
  const auto counts = caught_by_check(results);
  std::vector<std::pair<std::string, int>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  std::string text = rows.empty() ? "" : cell("caught by", 24) + "kernels\n";
  for (const auto& [name, count] : rows) text += cell(name, 24) + std::to_string(count) + "\n";
  return text;
}

std::map<std::string, int> outcome_counts(const std::vector<TrialResult>& results) {
  std::map<std::string, int> counts{{std::string(name_of(Outcome::accepted)), 0}};
  for (const TrialResult& result : results) ++counts[std::string(name_of(result.outcome))];
  return counts;
}

std::string summary(const std::vector<TrialResult>& results) {
  const auto counts = outcome_counts(results);
  std::string out = std::to_string(results.size()) + (results.size() == 1 ? " evaluation:" : " evaluations:");
  for (const Outcome outcome : all_outcomes()) {
    const auto found = counts.find(std::string(name_of(outcome)));
    if (found != counts.end()) out += " " + std::to_string(found->second) + " " + found->first + ",";
  }
  out.back() = '\n';
  return out;
}

}  // namespace kgen::selftest
