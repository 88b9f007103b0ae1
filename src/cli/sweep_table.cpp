#include "cli/sweep_table.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using core::SweptVariant;
using core::Verdict;

constexpr std::size_t kMessageWidth = 80;

bool is_rejected(const SweptVariant& variant) {
  return variant.verdict != Verdict::correct && variant.verdict != Verdict::not_run;
}

std::vector<const SweptVariant*> by_speed(const core::SweepReply& reply) {
  std::vector<const SweptVariant*> out;
  for (const SweptVariant& variant : reply.variants) out.push_back(&variant);
  const auto key = [](const SweptVariant& v) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    return std::pair(is_rejected(v), v.time ? v.time->median_us : kNone);
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  return out;
}

std::string verdict_cell(const SweptVariant& variant) {
  std::string text(core::name_of(variant.verdict));
  return variant.kind.empty() ? text : text + " (" + variant.kind + ")";
}

std::string note_cell(const SweptVariant& variant, const core::SweepRecord& sweep) {
  if (variant.variant == sweep.variant) return variant.variant == sweep.before ? "as before" : "chosen";
  if (is_rejected(variant)) {
    std::string text = util::printable(variant.message).substr(0, kMessageWidth);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }
  if (variant.stopped_early) return "stopped early";
  return variant.variant == sweep.before ? "before" : "";
}

}  // namespace

std::string sweep_summary(const core::SweepRecord& sweep) {
  const core::SweepReply& reply = sweep.reply;
  const int tried = static_cast<int>(reply.variants.size()), rejected = core::count_rejected(reply);
  std::string text = std::to_string(tried) + " of " + plural(sweep.feasible, "variant") + " tried in " +
                     duration_text(reply.ms / 1000);
  if (rejected > 0) text += ", " + std::to_string(rejected) + " rejected";
  if (reply.not_tried > 0) text += ", " + std::to_string(reply.not_tried) + " not begun in time";
  const std::string variant = core::variant_text(sweep.variant);
  return text + "; " + (variant.empty() ? "it has no tunables" : "goes on with " + variant) + ": " +
         util::printable(sweep.reason);
}

std::string sweep_table(const core::SweepRecord& sweep) {
  using Align = TextTable::Align;
  TextTable table({{"variant"},
                   {"verdict"},
                   {"time", Align::right},
                   {"95% interval", Align::right},
                   {"registers", Align::right},
                   {"spilled", Align::right},
                   {"note"}});
  for (const SweptVariant* variant : by_speed(sweep.reply)) {
    const bool timed = variant->time.has_value();
    const std::string name = core::variant_text(variant->variant);
    table.add(
        {name.empty() ? "-" : name, verdict_cell(*variant), timed ? time_text(variant->time->median_us) : "-",
         timed ? significant(variant->time->low_us) + " to " + significant(variant->time->high_us) + " us"
               : "-",
         variant->registers < 0 ? "-" : std::to_string(variant->registers),
         variant->spill_bytes < 0 ? "-" : bytes_text(variant->spill_bytes), note_cell(*variant, sweep)});
  }
  return table.text();
}

}  // namespace kgen::cli
