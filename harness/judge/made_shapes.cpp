#include "harness/judge/made_shapes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "harness/judge/alignment_shapes.hpp"
#include "harness/judge/attribute_shapes.hpp"
#include "harness/judge/crossed_shapes.hpp"
#include "harness/judge/emulated_work.hpp"
#include "harness/judge/joint_shapes.hpp"
#include "harness/judge/length_shapes.hpp"
#include "harness/judge/product_shapes.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"
#include "harness/judge/task_shapes.hpp"
#include "harness/judge/tiled_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr int kAttempts = 200;  ///< for one shape: most fail where `requires` is narrow
constexpr int kCandidates = 5;  ///< legal ones to choose from
constexpr std::array<std::int64_t, 24> kPrimes = {2,    3,    5,    7,     11,    13,    17,     23,
                                                  31,   61,   97,   127,   251,   257,   509,    1021,
                                                  2039, 4093, 8191, 16381, 32749, 65521, 131071, 1048573};

struct Kind {
  const char* why;
  std::int64_t (*extent)(ShapeDraws&, const ShapeSources&, const std::string& dim);
};

std::int64_t random_extent(ShapeDraws& draws, const ShapeSources&, const std::string&) {
  return draws.spread(1 << 20);
}

std::int64_t multiple(ShapeDraws& draws, const ShapeSources& from, const std::string&) {
  return draw_multiple(draws, from);
}

std::int64_t near_constant(ShapeDraws& draws, const ShapeSources& from, const std::string& dim) {
  if (from.constants.empty()) return random_extent(draws, from, dim);
  return draws.beside(draws.of(from.constants));
}

std::int64_t between_listed(ShapeDraws& draws, const ShapeSources& from, const std::string& dim) {
  const auto& listed = from.listed.at(dim);
  const std::size_t at = draws.upto(listed.size());
  if (at + 1 == listed.size() || draws.upto(3) == 0) return draws.beside(listed[at]);
  const std::int64_t gap = listed[at + 1] - listed[at];
  return listed[at] + static_cast<std::int64_t>(draws.upto(static_cast<U64>(gap) + 1));
}

std::int64_t prime(ShapeDraws& draws, const ShapeSources&, const std::string&) {
  return kPrimes[draws.upto(kPrimes.size())];
}

std::int64_t beside_task(ShapeDraws& draws, const ShapeSources& from, const std::string& dim) {
  return draws.beside(from.task.dims.at(dim));
}

constexpr std::array<Kind, 6> kKinds = {{{"near a number of the file", near_constant},
                                         {"between check shapes", between_listed},
                                         {"random", random_extent},
                                         {"a multiple", multiple},
                                         {"a prime", prime},
                                         {"beside the task's", beside_task}}};

/// Any, and the task's own every other time: `requires` may leave no others.
core::Attributes attributes_of_attempt(ShapeDraws& draws, const ShapeSources& from, int attempt) {
  return attempt % 2 == 0 ? draw_attributes(draws, from) : core::Attributes{};
}

/// Of some shapes of a kind the one that shows most that is new.
void add_best_of_some(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws, const Kind& kind,
                      const std::string& looked_at, const ShapeBudget& budget) {
  const std::int64_t most_cost = draws.upto(3) == 0 ? budget.large_cost : budget.small_cost;
  std::optional<core::Task> best;
  std::size_t most_new = 0;
  for (int attempt = 0, found = 0; attempt < kAttempts && found < kCandidates; ++attempt) {
    core::Dims dims;
    for (const auto& name : from.task.op->dim_names)
      dims[name] = name == looked_at ? kind.extent(draws, from, name) : draw_companion(draws, from, name);
    auto shape = out.accept(dims, attributes_of_attempt(draws, from, attempt), most_cost);
    if (!shape) continue;
    ++found;
    const std::size_t fresh = out.new_features(*shape);
    if (best && fresh <= most_new) continue;
    most_new = fresh;
    best = std::move(shape);
  }
  if (best) out.add(std::move(*best), kind.why);
}

/// A shape with this extent: the other dims at random, then small ones and, where that fails too, as small as
/// `requires` lets them be.
void add_at_extent(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                   const std::string& looked_at, std::int64_t extent, const core::Attributes& attributes,
                   const ShapeBudget& budget) {
  constexpr const char* kWhy = "at a number of the file";
  constexpr int kSmall = 10, kLarge = 20, kTiny = 30;
  for (int attempt = 0; attempt < kTiny; ++attempt) {
    core::Dims dims;
    for (const auto& name : from.task.op->dim_names) {
      dims[name] = name == looked_at  ? extent
                   : attempt < kLarge ? draw_companion(draws, from, name)
                                      : draw_small_companion(draws, from, name);
    }
    auto shape = out.accept(dims, attributes, attempt < kSmall ? budget.small_cost : budget.large_cost);
    if (shape) return out.add(std::move(*shape), kWhy);
  }
  const auto smallest = smallest_with(out, from, looked_at, extent, attributes);
  if (!smallest) return;
  if (!attributes.empty() && !budget.is_lone_with_attributes(*smallest))
    return out.leave_out(*smallest, kWhy);
  if (auto shape = out.accept(smallest->dims, smallest->attributes, budget.lone_cost))
    return out.add(std::move(*shape), kWhy);
  if (from.task.op->dim_names.size() > 1) return;
  if (auto shape = out.accept(smallest->dims, smallest->attributes, budget.rounds_cost / 2))
    out.add(std::move(*shape), kWhy, 2);
}

/// How far beside a number a dim is looked at once more: one below or one above; of a number at which a
/// kernel may well take another path both, and an odd number above, which leaves a rest behind any pack.
std::vector<std::int64_t> asides(ShapeDraws& draws, std::int64_t constant, bool is_only_dim) {
  constexpr std::int64_t kThreshold = 1024;
  if (!is_only_dim || constant < kThreshold) return {draws.upto(2) == 0 ? 1 : -1};
  const std::int64_t above = draws.of({1, 3});
  return {above + constant % 2, -1};
}

/// Each dim at each of the most telling numbers of the file: with the task's attributes, with others, and
/// then beside them.
void add_at_constants(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                      const ShapeBudget& budget) {
  enum class Round { exact, other_attributes, aside };
  const std::size_t before = out.count();
  const bool is_only_dim = from.task.op->dim_names.size() == 1;
  for (const std::int64_t constant : telling_numbers(from, draws)) {
    const bool is_power = std::has_single_bit(static_cast<U64>(constant));
    const auto most =
        static_cast<std::size_t>(is_power && !is_only_dim ? budget.at_powers : budget.at_constants);
    for (const Round round : {Round::exact, Round::other_attributes, Round::aside}) {
      if (round == Round::other_attributes && from.task.op->attributes.empty()) continue;
      for (const std::string& looked_at : from.task.op->dim_names) {
        const auto besides =
            round == Round::aside ? asides(draws, constant, is_only_dim) : std::vector<std::int64_t>{0};
        for (const std::int64_t beside : besides) {
          if (out.count() - before >= most) return;
          const auto attributes = round == Round::exact ? core::Attributes{} : draw_attributes(draws, from);
          add_at_extent(out, from, draws, looked_at, constant + beside, attributes, budget);
        }
      }
    }
  }
}

/// Whether the emulator may be given the shape; 0: no bound.
bool is_within(const core::Task& shape, std::int64_t most_elements) {
  return most_elements == 0 || emulated_elements(shape) <= most_elements;
}

}  // namespace

bool ShapeBudget::is_lone_with_attributes(const core::Task& shape) const {
  return is_within(shape, lone_elements);
}

bool ShapeBudget::is_light(const core::Task& shape) const {
  return is_within(shape, length_elements);
}

bool ShapeBudget::is_told(const core::Task& shape) const {
  return is_within(shape, told_elements);
}

ShapeBudget shape_budget(core::DeviceKind kind) {
  if (kind != core::DeviceKind::cuda)
    return {.shapes = 8,
            .at_constants = 24,
            .at_powers = 8,
            .small_cost = 60'000,
            .large_cost = 600'000,
            .lone_cost = 4'000'000,
            .lone_elements = 400'000,
            .task_order_cost = 400'000'000,
            .oracle_operations = 100'000'000,
            .oracle_steps = 1 << 20,
            .long_extents = {3 << 16},
            .rounds_of_grid = 5 << 18,
            .rounds_cost = 1 << 26,
            .long_dims = 3,
            .long_products = false,
            .told_cost = 8'000'000,
            .told_dims = 3,
            .told_elements = 1'200'000,
            .told_may_be_slow = true,
            .rests = 16,
            .most_rest = 1 << 14,
            .rest_cost = 4'000'000,
            .very_long = 1 << 17,
            .attributes = 12,
            .near_ends = 6,
            .joint_cost = 25'000,
            .joint_distributions = 2,
            .roomy = 48,
            .crossed = 16,
            .crossed_cost = 100'000,
            .tiled = 13,
            .tiled_longest = 3 << 11,
            .tiled_cost = 800'000,
            .tiled_elements = 2'000'000,
            .emulated_elements = 6'500'000,
            .distributions = 3,
            .branches = 10,
            .branch_cost = 9'000'000,
            .alignments = 4,
            .least_length = 1 << 10,
            .most_length = 1 << 12,
            .length_units = {2, 4},
            .length_cost = 600'000,
            .length_elements = 100'000,
            .products = 80,
            .most_product = 1 << 13,
            .whole_elements = 1 << 19,
            .whole_total = 1 << 23};
  return {};
}

MadeShapes made_shapes(const core::LaunchPlan& plan, std::string_view source, const core::Task& task,
                       const core::DeviceFacts& device, const ShapeBudget& budget, std::uint64_t seed) {
  const ShapeSources from(source, task);
  ShapeDraws draws(seed);
  ShapeCollection out(plan, task, device, budget);
  const auto& names = task.op->dim_names;
  if (names.empty()) return {};
  add_task_order(out, from, draws, budget);
  add_at_constants(out, from, draws, budget);
  for (int number = 1; number < budget.shapes; ++number) {
    const auto place = static_cast<std::size_t>(number);
    const Kind& kind = kKinds[place % kKinds.size()];
    const std::string& looked_at = names[(place / kKinds.size() + place) % names.size()];
    add_best_of_some(out, from, draws, kind, looked_at, budget);
  }
  add_other_attributes(out, from, draws, budget);
  add_joint_attributes(out, from, draws, budget);
  add_missing_alignments(out, from, draws, budget);
  add_long_extents(out, from, draws, budget);
  add_tiled_extents(out, from, draws, budget);
  add_roomy_attributes(out, from, draws, budget);
  add_crossed_shapes(out, from, draws, budget);
  add_lengths(out, from, draws, budget);
  add_products(out, from, draws, budget, plan, device);
  return std::move(out.made);
}

}  // namespace kgen::judge
