#include "prompt/sweep_text.hpp"

#include <algorithm>
#include <vector>

#include "prompt/format.hpp"

namespace kgen::prompt {
namespace {

using core::SweptVariant;

constexpr std::size_t kMostFastest = 6;
constexpr std::size_t kMostNeighbours = 8;
constexpr std::size_t kMostRejected = 4;

using Tunables = std::map<std::string, std::int64_t>;

/// How many tunables have another value.
int distance(const Tunables& a, const Tunables& b) {
  int differing = 0;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    differing += other == b.end() || other->second != value ? 1 : 0;
  }
  return differing;
}

std::vector<const SweptVariant*> timed_by_speed(const core::SweepReply& reply) {
  std::vector<const SweptVariant*> timed;
  for (const SweptVariant& variant : reply.variants) {
    if (variant.time) timed.push_back(&variant);
  }
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto* a, const auto* b) { return a->time->median_us < b->time->median_us; });
  return timed;
}

std::string count_or_unknown(std::int64_t count) {
  return count < 0 ? "?" : std::to_string(count);
}

std::string what_it_is(const SweptVariant& variant, const core::SweepRecord& sweep) {
  if (variant.variant == sweep.variant) return "goes on";
  if (variant.variant == sweep.before) return "judged first";
  return distance(variant.variant, sweep.variant) == 1 ? "neighbour" : "";
}

std::string timed_table(const core::SweepRecord& sweep) {
  std::vector<std::vector<std::string>> rows;
  std::size_t rank = 0, neighbours = 0;
  for (const SweptVariant* variant : timed_by_speed(sweep.reply)) {
    const std::string role = what_it_is(*variant, sweep);
    const bool fast = rank++ < kMostFastest;
    if (!fast && (role.empty() || (role == "neighbour" && neighbours >= kMostNeighbours))) continue;
    if (!fast && role == "neighbour") ++neighbours;
    rows.push_back({core::variant_text(variant->variant),
                    time_text(variant->time->median_us) + (variant->stopped_early ? ", stopped early" : ""),
                    count_or_unknown(variant->registers), count_or_unknown(variant->spill_bytes), role});
  }
  if (rows.empty()) return "";
  return "\n" + table({"variant", "time", "registers", "spilled bytes", ""}, rows);
}

std::string rejected_list(const core::SweepReply& reply) {
  std::string text;
  std::size_t shown = 0;
  for (const SweptVariant& variant : reply.variants) {
    if (!core::is_rejected(variant)) continue;
    if (shown++ >= kMostRejected) continue;
    text += "- rejected: " + core::variant_text(variant.variant) + ": " +
            std::string(core::name_of(variant.verdict)) +
            (variant.message.empty() ? "" : ", " + one_line(variant.message, 200)) + "\n";
  }
  if (shown > kMostRejected)
    text += "- and " + std::to_string(shown - kMostRejected) + " further ones rejected\n";
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string sweep_text(const core::SweepRecord& sweep) {
  std::string text =
      "kgen tried " + std::to_string(sweep.reply.variants.size()) + " of the " +
      std::to_string(sweep.feasible) +
      " variants that the tunables and constraints allow, at the task's own shape. It goes on with " +
      core::variant_text(sweep.variant) + ": " + one_line(sweep.reason, 300) + ".\n";
  return text + timed_table(sweep) + rejected_list(sweep.reply);
}

}  // namespace kgen::prompt
