#include "harness/judge/attribute_shapes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "harness/judge/emulated_work.hpp"

namespace kgen::judge {
namespace {

constexpr int kTries = 80;  ///< for one shape; twice as many where a type ends alone, which fewer shapes have
constexpr std::int64_t kShareOfEnds = 8;  ///< of the emulator's room, one part for where types end
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
  bool is_end =
      false;  ///< of a type: rounded in the second half of the tries alone, the dim longer in any case

  bool is_alone() const { return longer.empty(); }
};

constexpr std::int64_t kIntEnd = (1ll << 31) - 1;
/// Where a type ends that holds the value, its square, or its sum with an index.
constexpr std::array<std::int64_t, 7> kTypeEnds = {128, 182, 256, 32768, 46341, 65536, kIntEnd};
/// Those that dims are longer than.
constexpr std::array<std::int64_t, 2> kNearEnds = {256, 128};

/// Where types end, beyond what the op's own values reach: as far as dims let them be, and near ones behind
/// which each dim in turn lies (of one window alone no stride is seen), beginning with any.
std::vector<Wanted> ends_of(const core::Attribute& attribute, const ShapeSources& from, ShapeDraws& draws,
                            std::size_t near_ends) {
  const std::int64_t reach = reach_of(attribute, from);
  const auto& dims = from.task.op->dim_names;
  std::vector<Wanted> out;
  for (const std::int64_t end : kTypeEnds)
    if (end >= reach) out.push_back({end, "", true});
  const std::size_t first = draws.upto(dims.size()), most = out.size() + near_ends;
  for (const std::int64_t end : kNearEnds)
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (end >= reach && out.size() < most) out.push_back({end, dims[(first + i) % dims.size()], true});
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
  if (wanted.is_end && attempt < kTries / 2) return 1;
  return kGranules[static_cast<std::size_t>(attempt) % kGranules.size()];
}

/// The dims of the task and of the check shapes, those first in which most are more than one element: of what
/// overflows a single one says nothing.
std::vector<core::Dims> listed_dims(const ShapeSources& from, ShapeDraws& draws) {
  std::vector<core::Dims> out = {from.task.dims};
  for (const auto& shape : from.task.op->check_shapes)
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(draws.upto(out.size() + 1)), shape.dims);
  std::ranges::stable_sort(out, {}, count_thin);
  return out;
}

/// With the attribute alone: at the first of these dims that the plan serves, if it serves any.
std::optional<core::Task> listed_shape_with(const ShapeCollection& out, const ShapeSources& from,
                                            ShapeDraws& draws, const std::string& attribute,
                                            std::int64_t value, const ShapeBudget& budget) {
  const core::Attributes attributes = {{attribute, static_cast<double>(value)}};
  for (const core::Dims& dims : listed_dims(from, draws))
    if (auto shape = out.accept(dims, attributes, budget.large_cost)) return shape;
  return std::nullopt;
}

std::int64_t extent_of(const Wanted& wanted, int attempt, std::int64_t value, const ShapeSources& from,
                       ShapeDraws& draws, const std::string& dim) {
  if (dim == wanted.longer) return wanted.is_end ? value + draws.spread(value) : related_extent(draws, value);
  const bool may_be_related = attempt >= kTries / 4 && (wanted.is_alone() || attempt % 4 >= 2);
  const bool is_related = may_be_related && draws.upto(wanted.is_alone() ? 2 : 3) == 0;
  return is_related ? related_extent(draws, value) : draw_small_companion(draws, from, dim);
}

/// A shape with about this value; the value is rounded up where the op's rules want a multiple.
std::optional<core::Task> shape_with(const ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                                     const std::string& attribute, const Wanted& wanted,
                                     const ShapeBudget& budget) {
  if (wanted.is_alone()) {
    if (auto shape = listed_shape_with(out, from, draws, attribute, wanted.about, budget)) return shape;
  }
  const int tries = wanted.is_alone() ? 2 * kTries : kTries;
  for (int attempt = 0; attempt < tries; ++attempt) {
    const std::int64_t granule = granule_of(wanted, attempt);
    const std::int64_t above = (wanted.about + granule - 1) / granule * granule;
    const std::int64_t value = above > kIntEnd ? above - granule : above;  // 2^31 is no int
    core::Attributes attributes = attempt % 2 == 0 ? core::Attributes{} : draw_attributes(draws, from);
    attributes[attribute] = static_cast<double>(value);
    core::Dims dims;
    for (const std::string& name : from.task.op->dim_names)
      dims[name] = extent_of(wanted, attempt, value, from, draws, name);
    auto shape = out.accept(dims, attributes, attempt < kTries / 2 ? budget.small_cost : budget.large_cost);
    if (shape) return shape;
  }
  return std::nullopt;
}

/// Where types end, for one of so many attributes. The emulator gives the first inputs alone to each, and no
/// more than a part of its room to all.
template <class Add>
void add_ends(const ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
              const core::Attribute& attribute, std::size_t attributes, const ShapeBudget& budget,
              const Add& add) {
  const bool is_emulated = budget.emulated_elements > 0;
  std::int64_t room = budget.emulated_elements / (kShareOfEnds * static_cast<std::int64_t>(attributes));
  // One that the plan compiles in is a compile each.
  const int near_ends = out.is_compiled_in(attribute.name) ? 0 : budget.near_ends;
  for (const Wanted& end : ends_of(attribute, from, draws, static_cast<std::size_t>(near_ends))) {
    auto shape = shape_with(out, from, draws, attribute.name, end, budget);
    if (!shape) continue;
    const std::int64_t work = emulated_elements(*shape);
    if (is_emulated && work > room) continue;
    room -= work;
    add(std::move(*shape), is_emulated ? std::optional(1) : std::nullopt);
  }
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
  const auto add = [&](core::Task shape, std::optional<int> distributions) {
    out.add(std::move(shape), "with an attribute that no list has", distributions);
    out.made.shapes.back().lenient = true;
  };
  for (const auto& attribute : whole) {
    add_ends(out, from, draws, attribute, whole.size(), budget, add);
    const std::size_t before = out.count();
    for (const Wanted& wanted : wanted_of(attribute, from, draws, share)) {
      if (out.count() - before >= share) break;
      if (auto shape = shape_with(out, from, draws, attribute.name, wanted, budget))
        add(std::move(*shape), {});
    }
  }
}

}  // namespace kgen::judge
