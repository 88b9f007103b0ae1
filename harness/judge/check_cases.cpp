#include "harness/judge/check_cases.hpp"

#include <algorithm>
#include <initializer_list>

#include "core/task.hpp"
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

void add_all(const core::Op& op, std::vector<std::size_t>& chosen, bool core::Distribution::* wanted) {
  for (std::size_t d = 0; d < op.distributions.size(); ++d) {
    const bool taken = std::find(chosen.begin(), chosen.end(), d) != chosen.end();
    if (!taken && op.distributions[d].*wanted) chosen.push_back(d);
  }
}

std::vector<std::size_t> all_distributions(const core::Op& op) {
  std::vector<std::size_t> all(op.distributions.size());
  for (std::size_t d = 0; d < all.size(); ++d) all[d] = d;
  return all;
}

bool has_generator(const core::Distribution& distribution, std::initializer_list<core::GeneratorKind> kinds) {
  const auto is_one = [&](const core::Generator& own) {
    return std::ranges::find(kinds, own.kind) != kinds.end();
  };
  return is_one(distribution.values) ||
         std::ranges::any_of(distribution.per_tensor, [&](const auto& own) { return is_one(own.second); });
}

/// Whether one value of each row is another than the rest: left out, it shows however many there are.
bool has_hot_values(const core::Distribution& distribution) {
  return has_generator(distribution, {core::GeneratorKind::one_hot, core::GeneratorKind::peak});
}

/// Distributions of one shape that the judge made.
std::vector<std::size_t> distributions_of(const core::Op& op, const ShapeCounts& shapes, std::size_t shape,
                                          std::uint64_t seed) {
  if (shapes.whole.contains(shape)) return all_distributions(op);
  const auto other = shapes.distributions.find(shape);
  const int wanted = other == shapes.distributions.end() ? 3 : other->second;
  auto chosen = wanted == 2 ? large_distributions(op, seed) : made_distributions(op, seed, wanted);
  if (wanted < 2 && !chosen.empty()) chosen.resize(1);
  if (shapes.other_attributes.contains(shape)) add_all(op, chosen, &core::Distribution::with_attributes);
  return chosen;
}

/// Each distribution once more, and again, at the shapes that want it.
void add_draws(const core::Op& op, const ShapeCounts& shapes, std::vector<CheckCase>& cases) {
  int most = 1;
  for (const auto& [shape, draws] : shapes.draws) most = std::max(most, draws);
  for (int draw = 1; draw < most; ++draw) {
    for (std::size_t d = 0; d < op.distributions.size(); ++d) {
      for (const auto& [shape, draws] : shapes.draws)
        if (draw < draws) cases.push_back({shape, d, draw});
    }
  }
}

}  // namespace

bool has_special_values(const core::Distribution& distribution) {
  return has_generator(distribution, {core::GeneratorKind::special});
}

bool has_whole_outputs(const core::Op& op, core::DType dtype) {
  return std::ranges::none_of(op.outputs(), [&](const core::Tensor* output) {
    return core::facts_of(core::dtype_of(*output, dtype)).is_float;
  });
}

std::vector<std::size_t> screen_distributions(const core::Op& op, std::uint64_t seed) {
  std::vector<std::size_t> chosen;
  if (op.distributions.empty()) return chosen;
  chosen.push_back(0);
  add_one(op, chosen, mix64(seed + 1), [](const auto& d) { return d.compare_equal && d.screen; });
  add_one(op, chosen, mix64(seed + 2), [](const auto& d) { return d.screen; });
  return chosen;
}

std::vector<std::size_t> made_distributions(const core::Op& op, std::uint64_t seed, int count) {
  std::vector<std::size_t> chosen;
  if (op.distributions.empty()) return chosen;
  chosen.push_back(0);
  add_one(op, chosen, mix64(seed + 4), [](const auto& d) { return d.compare_equal; });
  if (chosen.size() < 2) add_one(op, chosen, mix64(seed + 4), has_hot_values);
  if (below(mix64(seed + 7), 2) == 0) {
    const bool has_any = std::ranges::any_of(op.distributions, has_special_values);
    add_one(op, chosen, mix64(seed + 8),
            [&](const auto& d) { return has_any ? has_special_values(d) : d.meets_special_values(); });
  }
  const auto most = std::min(op.distributions.size(), static_cast<std::size_t>(std::max(count, 3)));
  for (U64 draw = 0; chosen.size() < most; ++draw)
    add_one(op, chosen, mix64(seed + 5 + (draw << 32)), [](const auto&) { return true; });
  return chosen;
}

std::vector<std::size_t> large_distributions(const core::Op& op, std::uint64_t seed) {
  std::vector<std::size_t> chosen;
  if (op.distributions.empty()) return chosen;
  chosen.push_back(0);
  add_one(op, chosen, mix64(seed + 61), [](const auto& d) { return d.compare_equal && d.screen; });
  if (chosen.size() < 2 && has_whole_outputs(op, op.default_dtype)) {  // compared for equality as they are
    add_one(op, chosen, mix64(seed + 61), [](const auto& d) { return d.screen && has_hot_values(d); });
    if (chosen.size() < 2) add_one(op, chosen, mix64(seed + 61), [](const auto& d) { return d.screen; });
  }
  return chosen;
}

std::vector<CheckCase> check_cases(const core::Op& op, const ShapeCounts& shapes, core::Tier tier,
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
    const std::size_t shape = shapes.listed + made;
    for (const std::size_t d : distributions_of(op, shapes, shape, seed + 16 * made))
      cases.push_back({shape, d});
  }
  if (tier == core::Tier::promotion) add_draws(op, shapes, cases);
  for (const std::size_t d : everywhere) cases.push_back({0, d});
  return cases;
}

std::vector<CheckCase> emulated_cases(const std::vector<CheckCase>& cases, const core::Op& op,
                                      const std::vector<std::int64_t>& work, std::uint64_t seed) {
  std::vector<std::size_t> in_part;  // shapes, in the cases' order
  for (const CheckCase& one : cases) {
    const std::int64_t own = work.at(one.shape);
    const bool known = std::find(in_part.begin(), in_part.end(), one.shape) != in_part.end();
    if (own > kEmulatedWhole && own <= kEmulatedInPart && !known) in_part.push_back(one.shape);
  }
  const auto keeps = [&](const CheckCase& one) {
    const std::int64_t own = work[one.shape];
    if (own <= kEmulatedWhole) return true;
    if (one.distribution == 0) return own <= kEmulatedOnce || one.shape == 0;
    if (own > kEmulatedInPart) return false;
    const core::Distribution& distribution = op.distributions[one.distribution];
    if (has_special_values(distribution) || distribution.with_attributes) return true;
    const auto number =
        static_cast<std::size_t>(std::find(in_part.begin(), in_part.end(), one.shape) - in_part.begin());
    const auto always = made_distributions(op, seed + 32 * number);
    if (always.size() > 1 && always[1] == one.distribution) return true;
    return (one.distribution + below(mix64(seed + 6), in_part.size())) % in_part.size() == number;
  };
  std::vector<CheckCase> kept;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(kept), keeps);
  return kept;
}

}  // namespace kgen::judge
