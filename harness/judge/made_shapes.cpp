#include "harness/judge/made_shapes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "harness/judge/shared/random.hpp"
#include "harness/judge/source_constants.hpp"

namespace kgen::judge {
namespace {

constexpr int kAttempts = 200;  ///< for one shape: most fail where `requires` is narrow
constexpr int kCandidates = 5;  ///< legal ones to choose from
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 31;
constexpr std::array<std::int64_t, 24> kPrimes = {2,    3,    5,    7,     11,    13,    17,     23,
                                                  31,   61,   97,   127,   251,   257,   509,    1021,
                                                  2039, 4093, 8191, 16381, 32749, 65521, 131071, 1048573};

/// Numbers in a row, the same for the same seed.
class Draws {
 public:
  explicit Draws(U64 seed) : key_(mix64(seed ^ 0x73686170)) {}
  U64 upto(U64 count) { return below(mix64(key_ + ++drawn_ * 0x9e3779b97f4a7c15ull), count); }
  std::int64_t of(const std::vector<std::int64_t>& values) { return values[upto(values.size())]; }
  /// Log-uniform in [1, most].
  std::int64_t spread(std::int64_t most) {
    const double exponent =
        unit_real(mix64(key_ + ++drawn_ * 0x9e3779b97f4a7c15ull)) * std::log2(static_cast<double>(most));
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::exp2(exponent)));
  }

 private:
  U64 key_, drawn_ = 0;
};

/// Where extents of one dim come from.
struct Sources {
  const core::Task& task;
  std::vector<std::int64_t> constants;  ///< of the file
  std::map<std::string, std::vector<std::int64_t>>
      listed;                                ///< check shapes' extents by dim, sorted, once each
  std::vector<core::Attributes> attributes;  ///< the task's own first

  Sources(std::string_view source, const core::Task& of) : task(of), constants(source_constants(source)) {
    attributes.push_back({});
    for (const auto& [name, extent] : of.dims) listed[name].push_back(extent);
    for (const auto& shape : of.op->check_shapes) {
      for (const auto& [name, extent] : shape.dims) listed[name].push_back(extent);
      if (!shape.attributes.empty()) attributes.push_back(shape.attributes);
    }
    for (auto& [name, extents] : listed) {
      std::sort(extents.begin(), extents.end());
      extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    }
  }
};

std::int64_t beside(Draws& draws, std::int64_t value) {
  return value - 1 + static_cast<std::int64_t>(draws.upto(3));
}

struct Kind {
  const char* why;
  std::int64_t (*extent)(Draws&, const Sources&, const std::string& dim);
};

std::int64_t random_extent(Draws& draws, const Sources&, const std::string&) {
  return draws.spread(1 << 20);
}

/// A whole number of times one that the file mentions (its vector width, its tile), or a power of two.
std::int64_t multiple(Draws& draws, const Sources& from, const std::string&) {
  std::int64_t factor = std::int64_t{1} << draws.upto(9);
  if (!from.constants.empty() && draws.upto(2) == 0)
    factor = std::min<std::int64_t>(draws.of(from.constants), 4096);
  return factor * draws.spread(512);
}

std::int64_t near_constant(Draws& draws, const Sources& from, const std::string& dim) {
  if (from.constants.empty()) return random_extent(draws, from, dim);
  return beside(draws, draws.of(from.constants));
}

std::int64_t between_listed(Draws& draws, const Sources& from, const std::string& dim) {
  const auto& listed = from.listed.at(dim);
  const std::size_t at = draws.upto(listed.size());
  if (at + 1 == listed.size() || draws.upto(3) == 0) return beside(draws, listed[at]);
  const std::int64_t gap = listed[at + 1] - listed[at];
  return listed[at] + static_cast<std::int64_t>(draws.upto(static_cast<U64>(gap) + 1));
}

std::int64_t prime(Draws& draws, const Sources&, const std::string&) {
  return kPrimes[draws.upto(kPrimes.size())];
}

std::int64_t beside_task(Draws& draws, const Sources& from, const std::string& dim) {
  return beside(draws, from.task.dims.at(dim));
}

constexpr std::array<Kind, 6> kKinds = {{{"near a number of the file", near_constant},
                                         {"between check shapes", between_listed},
                                         {"random", random_extent},
                                         {"a multiple", multiple},
                                         {"a prime", prime},
                                         {"beside the task's", beside_task}}};

/// Extent of a dim that is not the one looked at.
std::int64_t companion(Draws& draws, const Sources& from, const std::string& dim) {
  switch (draws.upto(4)) {
    case 0:
      return draws.of(from.listed.at(dim));
    case 1:
      return multiple(draws, from, dim);
    case 2:
      return from.task.dims.at(dim);
    default:
      return draws.spread(256);
  }
}

/// The same, as small as there is: of a dim that has few legal extents the smallest that a check shape has.
std::int64_t small_companion(Draws& draws, const Sources& from, const std::string& dim) {
  const auto& listed = from.listed.at(dim);
  const auto least =
      std::find_if(listed.begin(), listed.end(), [](std::int64_t extent) { return extent > 0; });
  return least != listed.end() && draws.upto(2) == 0 ? *least : draws.spread(8);
}

/// A dim, a modulus and the remainder; modulus 0: the order of magnitude. Kernels err by remainders (vector
/// widths, tiles) and by size.
using Feature = std::tuple<std::string, std::int64_t, std::int64_t>;

std::set<Feature> features_of(const core::Task& task) {
  std::set<Feature> out;
  for (const auto& [name, extent] : task.dims) {
    out.insert({name, 0, std::bit_width(static_cast<U64>(extent))});
    if (extent < 16) continue;  // of tiny extents every remainder is met by chance
    for (const std::int64_t modulus : {4, 8, 32}) out.insert({name, modulus, extent % modulus});
  }
  return out;
}

/// Whether an output has no elements: the op's own check shapes hold what is to be seen there, and such a
/// shape, which costs nothing, would take the place of one that shows something.
bool is_empty(const core::Task& task) {
  const auto tensors = core::tensors_of(task);
  return tensors && std::any_of(tensors->begin(), tensors->end(), [](const auto& tensor) {
           return tensor.role != core::Role::input && tensor.elements == 0;
         });
}

/// What may become one of the shapes, and which there are already.
class Collection {
 public:
  Collection(const core::LaunchPlan& plan, const core::Task& task, const core::DeviceFacts& device)
      : plan_(plan), task_(task), device_(device) {
    seen_.insert({task.dims, task.attributes});
    for (const auto& shape : task.op->check_shapes) {
      if (const auto at = core::at_shape(task, shape.dims, shape.attributes))
        seen_.insert({at->dims, at->attributes});
    }
  }

  /// The task at these extents, where it may become one of the shapes.
  std::optional<core::Task> accept(const core::Dims& dims, const core::Attributes& attributes,
                                   std::int64_t most_cost) const {
    for (const auto& [name, extent] : dims) {
      if (extent < 0 || extent > kLargestExtent) return std::nullopt;
    }
    auto task = core::at_shape(task_, dims, attributes);
    if (!task || seen_.contains({task->dims, task->attributes})) return std::nullopt;
    if (is_empty(*task)) return std::nullopt;
    const auto cost = core::cost_of(*task);
    if (!cost || cost->flops > most_cost || cost->bytes > most_cost - cost->flops) return std::nullopt;
    const auto unmet = core::unmet_requirement(plan_, *task, device_);
    if (!unmet || *unmet) return std::nullopt;
    return std::move(*task);
  }

  void add(core::Task task, const char* why) {
    seen_.insert({task.dims, task.attributes});
    features_.merge(features_of(task));
    shapes.push_back({std::move(task), why});
  }

  /// What this shape would show that those taken so far do not.
  std::size_t new_features(const core::Task& task) const {
    const auto own = features_of(task);
    return static_cast<std::size_t>(
        std::count_if(own.begin(), own.end(), [&](const Feature& f) { return !features_.contains(f); }));
  }

  std::vector<MadeShape> shapes;

 private:
  const core::LaunchPlan& plan_;
  const core::Task& task_;
  const core::DeviceFacts& device_;
  std::set<std::pair<core::Dims, core::Attributes>> seen_;
  std::set<Feature> features_;
};

/// One whole shape beside the task's own: where its tiles end.
void add_beside_task(Collection& out, const Sources& from, Draws& draws, const ShapeBudget& budget) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    core::Dims dims = from.task.dims;
    for (auto& [name, extent] : dims) {
      // One in three of the dims that a narrow `requires` may tie to a multiple stays as it is.
      if (draws.upto(3) != 0) extent += static_cast<std::int64_t>(draws.upto(65)) - 32;
    }
    if (auto shape = out.accept(dims, {}, budget.beside_task_cost))
      return out.add(std::move(*shape), "beside the task's own shape");
  }
}

/// Of some shapes of a kind the one that shows most that is new.
void add_best_of_some(Collection& out, const Sources& from, Draws& draws, const Kind& kind,
                      const std::string& looked_at, const ShapeBudget& budget) {
  const std::int64_t most_cost = draws.upto(3) == 0 ? budget.large_cost : budget.small_cost;
  std::optional<core::Task> best;
  std::size_t most_new = 0;
  for (int attempt = 0, found = 0; attempt < kAttempts && found < kCandidates; ++attempt) {
    core::Dims dims;
    for (const auto& name : from.task.op->dim_names)
      dims[name] = name == looked_at ? kind.extent(draws, from, name) : companion(draws, from, name);
    auto shape = out.accept(dims, from.attributes[draws.upto(from.attributes.size())], most_cost);
    if (!shape) continue;
    ++found;
    const std::size_t fresh = out.new_features(*shape);
    if (best && fresh <= most_new) continue;
    most_new = fresh;
    best = std::move(shape);
  }
  if (best) out.add(std::move(*best), kind.why);
}

/// Numbers of the file in the order in which they are worth a shape: odd ones out first (a block of 256
/// threads says little about extents, a comparison with 1777 much), at random within that.
std::vector<std::int64_t> telling_constants(const Sources& from, Draws& draws) {
  std::vector<std::pair<U64, std::int64_t>> order;
  for (const std::int64_t constant : from.constants) {
    if (constant < 8) continue;  // small extents are met by chance
    const U64 rank = std::has_single_bit(static_cast<U64>(constant)) ? 1 : 0;
    order.emplace_back((rank << 32) + draws.upto(1u << 31), constant);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> out;
  for (const auto& [rank, constant] : order) out.push_back(constant);
  return out;
}

/// A shape with this extent of one dim, the others such that the budget allows it; the last attempts keep
/// those small, which a large extent needs where the budget is.
void add_at_extent(Collection& out, const Sources& from, Draws& draws, const ShapeBudget& budget,
                   const std::string& looked_at, std::int64_t extent) {
  constexpr int kSmall = 10, kLarge = 20, kTiny = 30;
  for (int attempt = 0; attempt < kTiny; ++attempt) {
    core::Dims dims;
    for (const auto& name : from.task.op->dim_names) {
      dims[name] = name == looked_at  ? extent
                   : attempt < kLarge ? companion(draws, from, name)
                                      : small_companion(draws, from, name);
    }
    const core::Attributes attributes =
        attempt % 2 == 0 ? core::Attributes{} : from.attributes[draws.upto(from.attributes.size())];
    auto shape = out.accept(dims, attributes, attempt < kSmall ? budget.small_cost : budget.large_cost);
    if (shape) return out.add(std::move(*shape), "at a number of the file");
  }
}

/// Each dim at each of the most telling numbers of the file: there, one below or one above.
void add_at_constants(Collection& out, const Sources& from, Draws& draws, const ShapeBudget& budget) {
  const std::size_t before = out.shapes.size();
  for (const std::int64_t constant : telling_constants(from, draws)) {
    const bool is_power = std::has_single_bit(static_cast<U64>(constant));
    const auto most = static_cast<std::size_t>(is_power ? budget.at_powers : budget.at_constants);
    for (const std::string& looked_at : from.task.op->dim_names) {
      for (const std::int64_t extent : {constant, constant + (draws.upto(2) == 0 ? 1 : -1)}) {
        if (out.shapes.size() - before >= most) return;
        add_at_extent(out, from, draws, budget, looked_at, extent);
      }
    }
  }
}

}  // namespace

ShapeBudget shape_budget(core::DeviceKind kind) {
  if (kind != core::DeviceKind::cuda) return {8, 24, 8, 60'000, 600'000, 600'000};
  return {};
}

std::vector<MadeShape> made_shapes(const core::LaunchPlan& plan, std::string_view source,
                                   const core::Task& task, const core::DeviceFacts& device,
                                   const ShapeBudget& budget, std::uint64_t seed) {
  const Sources from(source, task);
  Draws draws(seed);
  Collection out(plan, task, device);
  const auto& names = task.op->dim_names;
  if (names.empty()) return {};
  add_beside_task(out, from, draws, budget);
  add_at_constants(out, from, draws, budget);
  for (int number = 1; number < budget.shapes; ++number) {
    const auto place = static_cast<std::size_t>(number);
    const Kind& kind = kKinds[place % kKinds.size()];
    const std::string& looked_at = names[(place / kKinds.size() + place) % names.size()];
    add_best_of_some(out, from, draws, kind, looked_at, budget);
  }
  return std::move(out.shapes);
}

}  // namespace kgen::judge
