#include "report/sweep_words.hpp"

#include <algorithm>
#include <limits>

#include "report/number_text.hpp"

namespace kgen::report {

using core::SweptVariant;

std::string sweep_sentence(const core::SweepRecord& sweep) {
  const core::SweepReply& reply = sweep.reply;
  const int tried = static_cast<int>(reply.variants.size()), rejected = core::count_rejected(reply);
  std::string text = std::to_string(tried) + " of " + plural(sweep.feasible, "variant") + " tried in " +
                     duration_text(reply.ms / 1000);
  if (rejected > 0) text += ", " + std::to_string(rejected) + " rejected";
  if (reply.not_tried > 0) text += ", " + std::to_string(reply.not_tried) + " not begun in time";
  const std::string variant = core::variant_text(sweep.variant);
  return text + "; " + (variant.empty() ? "it has no tunables" : "goes on with " + variant) + ": " +
         sweep.reason;
}

std::vector<const SweptVariant*> by_speed(const core::SweepReply& reply) {
  std::vector<const SweptVariant*> out;
  for (const SweptVariant& variant : reply.variants) out.push_back(&variant);
  const auto key = [](const SweptVariant& v) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    return std::pair(core::is_rejected(v), v.time ? v.time->median_us : kNone);
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  return out;
}

std::string verdict_words(const SweptVariant& variant) {
  std::string text(core::name_of(variant.verdict));
  return variant.kind.empty() ? text : text + " (" + variant.kind + ")";
}

VariantRole role_of(const SweptVariant& variant, const core::SweepRecord& sweep) {
  if (variant.variant == sweep.variant)
    return variant.variant == sweep.before ? VariantRole::as_before : VariantRole::chosen;
  if (core::is_rejected(variant)) return VariantRole::rejected;
  if (variant.stopped_early) return VariantRole::stopped_early;
  return variant.variant == sweep.before ? VariantRole::before : VariantRole::other;
}

std::string role_words(VariantRole role) {
  switch (role) {
    case VariantRole::chosen:
      return "chosen";
    case VariantRole::as_before:
      return "as before";
    case VariantRole::before:
      return "before";
    case VariantRole::stopped_early:
      return "stopped early";
    case VariantRole::rejected:
    case VariantRole::other:
      return "";
  }
  return "";
}

std::vector<std::string> varied_tunables(const core::SweepReply& reply) {
  std::vector<std::string> names;
  if (reply.variants.empty()) return names;
  for (const auto& [name, value] : reply.variants.front().variant) {
    const auto differs = [&, first = value](const SweptVariant& v) {
      const auto other = v.variant.find(name);
      return other == v.variant.end() || other->second != first;
    };
    if (std::any_of(reply.variants.begin(), reply.variants.end(), differs)) names.push_back(name);
  }
  return names;
}

}  // namespace kgen::report
