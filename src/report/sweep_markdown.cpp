#include "report/sweep_markdown.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "report/markdown_escape.hpp"
#include "report/markdown_table.hpp"
#include "report/number_text.hpp"
#include "report/sweep_words.hpp"

namespace kgen::report {
namespace {

constexpr std::size_t kMostRows = 12;  ///< a pull request is no place for all of them
constexpr double kLongestBar = 24;     ///< characters
constexpr double kLongestTime = 4;     ///< times the fastest: longer bars are cut there

/// A bar of eighths of a character (U+2588 to U+258F), as long as the time is beside the longest.
std::string bar(double us, double longest_us) {
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths =
      static_cast<std::size_t>(std::lround(8 * kLongestBar * std::min(1.0, us / longest_us)));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[eighths % 8];
}

/// Of the tunables that tell the variants apart alone.
std::string short_name(const core::SweptVariant& variant, const std::vector<std::string>& varied) {
  std::map<std::string, std::int64_t> kept;
  for (const std::string& name : varied)
    if (const auto at = variant.variant.find(name); at != variant.variant.end()) kept.insert(*at);
  return core::variant_text(kept.empty() ? variant.variant : kept);
}

/// The fastest, and those that the candidate was and is judged with.
std::vector<const core::SweptVariant*> shown_variants(const core::SweepRecord& sweep) {
  std::vector<const core::SweptVariant*> shown;
  for (const core::SweptVariant* variant : by_speed(sweep.reply)) {
    const VariantRole role = role_of(*variant, sweep);
    const bool named =
        role == VariantRole::chosen || role == VariantRole::as_before || role == VariantRole::before;
    if (shown.size() < kMostRows || named) shown.push_back(variant);
  }
  return shown;
}

}  // namespace

std::string sweep_markdown(int number, const core::SweepRecord& sweep) {
  if (sweep.reply.variants.empty()) return {};
  const auto shown = shown_variants(sweep);
  const auto varied = varied_tunables(sweep.reply);
  double longest_us = 0;
  for (const auto* variant : shown)
    if (variant->time) longest_us = std::max(longest_us, variant->time->median_us);
  if (shown.front()->time) longest_us = std::min(longest_us, kLongestTime * shown.front()->time->median_us);
  std::string text = "### Variants of candidate " + std::to_string(number) + "\n\n" +
                     escaped_markdown(sweep_sentence(sweep)) + "\n\n" +
                     table_header({"variant", "verdict", "time (median, 95% interval)", "", ""});
  for (const auto* variant : shown) {
    const bool timed = variant->time && longest_us > 0;
    text += table_row({table_cell(short_name(*variant, varied)), table_cell(verdict_words(*variant)),
                       variant->time ? interval_text(*variant->time) : "",
                       timed ? bar(variant->time->median_us, longest_us) : "",
                       role_words(role_of(*variant, sweep))});
  }
  const std::size_t left = sweep.reply.variants.size() - shown.size();
  if (left > 0) text += "\n" + std::to_string(left) + " further ones are in the HTML report.\n";
  return text + "\n";
}

}  // namespace kgen::report
