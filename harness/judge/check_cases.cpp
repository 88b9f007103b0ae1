#include "harness/judge/check_cases.hpp"

#include <algorithm>

#include "harness/judge/shared/random.hpp"

namespace kgen::judge {
namespace {

template <class Predicate>
void add_one(const core::Op& op, std::vector<std::size_t>& chosen, U64 draw, const Predicate& wanted) {
  std::vector<std::size_t> from;
  for (std::size_t d = 0; d < op.distributions.size(); ++d) {
    const bool taken = std::find(chosen.begin(), chosen.end(), d) != chosen.end();
    if (!taken && wanted(op.distributions[d])) from.push_back(d);
  }
  if (!from.empty()) chosen.push_back(from[below(draw, from.size())]);
}

std::vector<std::size_t> all_distributions(const core::Op& op) {
  std::vector<std::size_t> all(op.distributions.size());
  for (std::size_t d = 0; d < all.size(); ++d) all[d] = d;
  return all;
}

}  // namespace

std::vector<std::size_t> screen_distributions(const core::Op& op, std::uint64_t seed) {
  std::vector<std::size_t> chosen;
  if (op.distributions.empty()) return chosen;
  chosen.push_back(0);
  add_one(op, chosen, mix64(seed + 1), [](const auto& d) { return d.compare_equal && d.screen; });
  add_one(op, chosen, mix64(seed + 2), [](const auto& d) { return d.screen; });
  return chosen;
}

std::vector<std::size_t> made_distributions(const core::Op& op, std::uint64_t seed) {
  std::vector<std::size_t> chosen;
  if (op.distributions.empty()) return chosen;
  chosen.push_back(0);
  add_one(op, chosen, mix64(seed + 4), [](const auto& d) { return d.compare_equal; });
  add_one(op, chosen, mix64(seed + 5), [](const auto&) { return true; });
  return chosen;
}

std::vector<CheckCase> check_cases(const core::Op& op, ShapeCounts shapes, core::Tier tier,
                                   std::uint64_t seed) {
  const auto everywhere =
      tier == core::Tier::promotion ? all_distributions(op) : screen_distributions(op, seed);
  std::vector<CheckCase> cases;
  for (const std::size_t d : everywhere) {
    for (std::size_t shape = 1; shape < shapes.listed; ++shape) cases.push_back({shape, d});
  }
  const std::size_t small = shapes.listed - 1;
  for (std::size_t d = 0; d < op.distributions.size() && small > 0; ++d) {
    if (std::find(everywhere.begin(), everywhere.end(), d) != everywhere.end()) continue;
    cases.push_back({1 + (d + below(mix64(seed + 3), small)) % small, d});
  }
  for (std::size_t made = 0; made < shapes.made; ++made) {
    for (const std::size_t d : made_distributions(op, seed + 16 * made))
      cases.push_back({shapes.listed + made, d});
  }
  for (const std::size_t d : everywhere) cases.push_back({0, d});
  return cases;
}

}  // namespace kgen::judge
