#include "harness/judge/attribute_shapes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace kgen::judge {
namespace {

constexpr int kTries = 80;  ///< for one shape; twice as many where a type ends, which fewer shapes can have
constexpr std::int64_t kFarthest = 1 << 16;
/// Beyond it extents lie just behind the attribute: a right kernel may take as many steps as both multiplied.
constexpr std::int64_t kFarthestFolded = 1 << 13;
constexpr std::array<std::int64_t, 6> kGranules = {1, 1, 8, 2, 16, 32};

/// The largest value that the task, the check shapes and draws from the op's range have.
std::int64_t reach_of(const core::Attribute& attribute, const ShapeSources& from) {
  double most = std::max(attribute.high, from.task.attributes.at(attribute.name));
  for (const auto& listed : from.attributes) {
    const auto found = listed.find(attribute.name);
    if (found != listed.end()) most = std::max(most, found->second);
  }
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(most));
}

/// A value worth a shape, and the dim that is to be longer; none where it is empty.
struct Wanted {
  std::int64_t about;
  std::string longer;
};

constexpr std::int64_t kIntEnd = (1ll << 31) - 1;
/// Where a type ends that holds the value, its square, or its sum with an index.
constexpr std::array<std::int64_t, 7> kTypeEnds = {128, 182, 256, 32768, 46341, 65536, kIntEnd};
/// Those that dims are longer than.
constexpr std::array<std::int64_t, 2> kNearEnds = {128, 256};

/// Where types end, beyond what the op's own values reach: as far as dims let them be, and near ones behind
/// which each dim in turn lies (of one window alone no stride is seen).
std::vector<Wanted> ends_of(const core::Attribute& attribute, const ShapeSources& from) {
  const std::int64_t reach = reach_of(attribute, from);
  std::vector<Wanted> out;
  for (const std::int64_t end : kTypeEnds)
    if (end >= reach) out.push_back({end, ""});
  for (const std::int64_t end : kNearEnds)
    for (const std::string& dim : from.task.op->dim_names)
      if (end >= reach) out.push_back({end, dim});
  return out;
}

/// Half of them behind numbers of the file that the op's own values do not reach, with every dim in turn;
/// then some of any order of magnitude.
std::vector<Wanted> wanted_of(const core::Attribute& attribute, const ShapeSources& from, ShapeDraws& draws,
                              std::size_t count) {
  const std::int64_t reach = reach_of(attribute, from);
  const auto& dims = from.task.op->dim_names;
  std::vector<Wanted> out;
  for (const std::int64_t number : telling_numbers(from, draws)) {
    if (number < reach || number > kFarthest) continue;
    for (const std::string& dim : dims)
      if (2 * out.size() < count) out.push_back({number + draws.spread(number), dim});
  }
  const std::size_t first = draws.upto(dims.size());
  for (std::size_t i = 0; i < 2 * count; ++i)
    out.push_back({draws.spread(16 * reach), dims[(first + i) % dims.size()]});
  return out;
}

std::int64_t related_extent(ShapeDraws& draws, std::int64_t value) {
  switch (value > kFarthestFolded ? 1 : draws.upto(3)) {
    case 0:
      return value * draws.spread(8);
    case 1:
      return value + draws.spread(64);
    default:
      return value + draws.spread(value + 1);
  }
}

/// A multiple of 1 first, then of what rules of ops want; the end of a type as it is for longer.
std::int64_t granule_of(const Wanted& wanted, int attempt) {
  if (wanted.longer.empty() && attempt < kTries / 4) return 1;
  return kGranules[static_cast<std::size_t>(attempt) % kGranules.size()];
}

/// Of the end of a type at first more than one element: of what overflows a single one says nothing.
std::int64_t companion_of(const Wanted& wanted, int attempt, const ShapeSources& from, ShapeDraws& draws,
                          const std::string& dim) {
  const bool is_several = wanted.longer.empty() && attempt < kTries;
  return is_several ? draw_several_companion(draws, from, dim) : draw_small_companion(draws, from, dim);
}

/// A shape with about this value; the value is rounded up where the op's rules want a multiple.
std::optional<core::Task> shape_with(const ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                                     const std::string& attribute, const Wanted& wanted,
                                     const ShapeBudget& budget) {
  const int tries = wanted.longer.empty() ? 2 * kTries : kTries;
  for (int attempt = 0; attempt < tries; ++attempt) {
    const std::int64_t granule = granule_of(wanted, attempt);
    const std::int64_t above = (wanted.about + granule - 1) / granule * granule;
    const std::int64_t value = above > kIntEnd ? above - granule : above;  // 2^31 is no int
    core::Attributes attributes = attempt % 2 == 0 ? core::Attributes{} : draw_attributes(draws, from);
    attributes[attribute] = static_cast<double>(value);
    core::Dims dims;
    for (const std::string& name : from.task.op->dim_names) {
      const bool may_be = attempt >= kTries / 4 && draws.upto(wanted.longer.empty() ? 2 : 3) == 0;
      const bool related = name == wanted.longer || may_be;
      dims[name] = related ? related_extent(draws, value) : companion_of(wanted, attempt, from, draws, name);
    }
    auto shape = out.accept(dims, attributes, attempt < kTries / 2 ? budget.small_cost : budget.large_cost);
    if (shape) return shape;
  }
  return std::nullopt;
}

}  // namespace

void add_other_attributes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                          const ShapeBudget& budget) {
  std::vector<core::Attribute> whole;
  std::ranges::copy_if(from.task.op->attributes, std::back_inserter(whole), [&](const auto& attribute) {
    return attribute.type == "int" && from.task.op->has_rule_for(attribute.name);
  });
  if (whole.empty()) return;
  const std::size_t share = (static_cast<std::size_t>(budget.attributes) + whole.size() - 1) / whole.size();
  const auto add = [&](const core::Attribute& attribute, const Wanted& wanted) {
    auto shape = shape_with(out, from, draws, attribute.name, wanted, budget);
    if (!shape) return;
    out.add(std::move(*shape), "with an attribute that no list has");
    out.made.shapes.back().lenient = true;
  };
  for (const auto& attribute : whole) {
    for (const Wanted& end : ends_of(attribute, from)) add(attribute, end);
    const std::size_t before = out.count();
    for (const Wanted& wanted : wanted_of(attribute, from, draws, share))
      if (out.count() - before < share) add(attribute, wanted);
  }
}

}  // namespace kgen::judge
