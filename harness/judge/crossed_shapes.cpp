#include "harness/judge/crossed_shapes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "harness/judge/value_features.hpp"

namespace kgen::judge {
namespace {

constexpr int kDraws = 32;       ///< to choose one shape from
constexpr int kDrawsInVain = 6;  ///< rounds of draws without anything new that end the search
constexpr int kTimes = 2;        ///< a pair or triple is new until it was there so often
constexpr std::int64_t kSmallValue = 8;
constexpr std::int64_t kLongExtent = 16;
constexpr int kDistributions = 3;

/// How an extent divides.
enum class Kind : std::int64_t { small, odd, eights, tiles };

Kind kind_of(std::int64_t extent) {
  if (extent < kLongExtent) return Kind::small;
  return extent % 64 == 0 ? Kind::tiles : extent % 8 == 0 ? Kind::eights : Kind::odd;
}

std::int64_t long_extent(ShapeDraws& draws) {
  const auto times = static_cast<std::int64_t>(1 + draws.upto(3));
  switch (draws.upto(4)) {
    case 0:
      return kLongExtent + 1 + 2 * static_cast<std::int64_t>(draws.upto(60));
    case 1:
      return kLongExtent + 8 * times;
    default:
      return 64 * times;
  }
}

core::Dims draw_dims(ShapeDraws& draws, const ShapeSources& from) {
  const auto& names = from.task.op->dim_names;
  std::set<std::string> are_long;
  for (U64 i = 0, count = 1 + draws.upto(3); i < count; ++i) are_long.insert(names[draws.upto(names.size())]);
  core::Dims dims;
  for (const std::string& name : names)
    dims[name] = are_long.contains(name) ? long_extent(draws) : draw_small_companion(draws, from, name);
  return dims;
}

core::Attributes draw_crossed_attributes(ShapeDraws& draws, const ShapeSources& from) {
  core::Attributes out = draw_attributes(draws, from);
  for (const auto& attribute : from.task.op->attributes) {
    if (attribute.type == "int" && from.task.op->has_rule_for(attribute.name) && draws.upto(2) == 0)
      out[attribute.name] = static_cast<double>(draws.upto(4));
  }
  return out;
}

/// Of attributes first, then of dims.
std::vector<std::int64_t> values_of(const core::Task& task) {
  std::vector<std::int64_t> out;
  for (const auto& attribute : task.op->attributes) {
    const double value = task.attributes.at(attribute.name);
    const auto whole = attribute.type == "float" ? 0 : static_cast<std::int64_t>(value);
    out.push_back(whole <= kSmallValue ? whole : kSmallValue + 1 + static_cast<std::int64_t>(kind_of(whole)));
  }
  for (const std::string& name : task.op->dim_names)
    out.push_back(static_cast<std::int64_t>(kind_of(task.dims.at(name))));
  return out;
}

std::set<Feature> crossed_features(const core::Task& task) {
  const auto values = values_of(task);
  const std::size_t attributes = task.op->attributes.size();
  return features_of(values, attributes > 0 ? attributes : values.size());
}

class CrossedSearch {
 public:
  CrossedSearch(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws, const ShapeBudget& budget)
      : out_(out), from_(from), draws_(draws), budget_(budget) {}

  void run() {
    add_up_to(budget_.crossed, kDrawsInVain, [&] { return out_.has_room() && add_best(); });
  }

 private:
  bool add_best() {
    std::optional<core::Task> best;
    std::size_t most_new = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      const core::Dims dims = draw_dims(draws_, from_);
      auto shape = out_.accept(dims, draw_crossed_attributes(draws_, from_), budget_.crossed_cost);
      if (!shape) continue;
      const std::set<Feature> own = crossed_features(*shape);
      const auto fresh = static_cast<std::size_t>(
          std::ranges::count_if(own, [&](const Feature& feature) { return seen_[feature] < kTimes; }));
      if (fresh <= most_new) continue;
      most_new = fresh;
      best = std::move(shape);
    }
    if (!best) return false;
    for (const Feature& feature : crossed_features(*best)) ++seen_[feature];
    out_.add(std::move(*best), "long dims crossed with attributes", kDistributions);
    return true;
  }

  ShapeCollection& out_;
  const ShapeSources& from_;
  ShapeDraws& draws_;
  const ShapeBudget& budget_;
  std::map<Feature, int> seen_;
};

}  // namespace

void add_crossed_shapes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                        const ShapeBudget& budget) {
  if (from.task.op->attributes.size() + from.task.op->dim_names.size() < 2) return;
  CrossedSearch(out, from, draws, budget).run();
}

}  // namespace kgen::judge
