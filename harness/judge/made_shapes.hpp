#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/resolved_plan.hpp"

namespace kgen::judge {

/// How many shapes the judge makes of its own, and what one may cost (flops plus bytes of the op's cost
/// model).
struct ShapeBudget {
  int shapes = 24;                      ///< beside those below
  int at_constants = 72;                ///< at most, at and beside numbers of the candidate's file
  int at_powers = 48;                   ///< of these, not beyond so many at powers of two
  std::int64_t small_cost = 400'000;    ///< two of three: what the CPU reference does in milliseconds
  std::int64_t large_cost = 1ll << 26;  ///< the third
  std::int64_t lone_cost = 1ll << 30;   ///< of one extent where all others are as small as they may be
  /// Of the emulator for one of these with other attributes than the task's (0: no bound).
  std::int64_t lone_elements = 0;
  /// Of all cases at shapes of the task's own order of magnitude together; a byte counts as much as
  /// kFlopsAByte operations of the reference.
  std::int64_t task_order_cost = 4'000'000'000'000;
  /// Of reference.cu at one shape, all of it and one thread's (OracleCost). Plain kernels do no less, and on
  /// the emulator, which runs the CPU's reference, it is they who would not end.
  std::int64_t oracle_operations = 2'000'000'000'000;
  std::int64_t oracle_steps = (1 << 20) + (1 << 11);
  /// Each dim alone just beyond each of these: at the first two of three places lie beyond 16 bits and nearly
  /// all beyond what a block holds in registers; two levels of blocks of 1024 end at the second, whole
  /// numbers in a float at the third.
  std::vector<std::int64_t> long_extents = {3ll << 16, 1ll << 20, 1ll << 24};
  /// An op of one dim alone has this too: a grid of as many blocks as the device runs at once goes on to
  /// further rounds (0: the others do). Half of what it may cost a shape beside a number of the file may.
  std::int64_t rounds_of_grid = 0, rounds_cost = 0;
  int long_dims = 64;  ///< at most so many dims at each of these, which ones follows from the seed
  /// Products too: their kernels work in tiles, of which one long dim alone fills a small part.
  bool long_products = true;
  /// Of a dim that is long beside dims of two elements, where places that are taken for others show.
  std::int64_t told_cost = 1 << 24;
  int told_dims = 64;              ///< at most, which ones follows from the seed
  std::int64_t told_elements = 0;  ///< of the emulator for one (0: no bound)
  bool told_may_be_slow = false;   ///< MadeShape::may_be_slow of these
  int rests = 64;                  ///< at most, of whole packs in whole blocks and a rest
  std::int64_t most_rest = 1 << 15, rest_cost = 1 << 24;  ///< outputs in whole packs; cost of one
  /// A kernel that takes too long at a dim beyond it is not wrong.
  std::int64_t very_long = 1ll << 22;
  int attributes = 48;  ///< at most, with attributes that no list and no range has
  int near_ends = 14;   ///< an attribute, where types end nearby and a dim is longer; beside these ends alone
  int joint = 256;      ///< at most, with small values of several attributes at once
  std::int64_t joint_cost = 400'000;  ///< of one of these
  int joint_distributions = 6;        ///< that one of these meets
  int roomy = 64;                     ///< at most, the same with a wide dim, and as many with aligned ones
  int crossed = 48;                   ///< at most, that cross alignments of dims with attributes
  std::int64_t crossed_cost = 4'000'000;   ///< of one of these
  int tiled = 18;                          ///< a dim, of an odd number of whole tiles
  std::int64_t tiled_longest = 1ll << 21;  ///< of one of these extents
  std::int64_t tiled_cost = 1ll << 26;
  std::int64_t tiled_elements = 0;  ///< of the emulator for all of them (0: no bound)
  /// Wide, aligned and crossed ones come last, until all shapes take the emulator so many elements (0: no
  /// bound).
  std::int64_t emulated_elements = 0;
  int distributions = 6;                 ///< that a shape meets which is not dear
  int branches = 16;                     ///< at most, for branches of the plan that no other shape takes
  std::int64_t branch_cost = 1ll << 32;  ///< of one of these
  int alignments = 8;                    ///< at most, for alignments that no other shape has
  /// Powers of two from which lengths are taken, and what divides these, each by no higher power of two.
  std::int64_t least_length = 1 << 9, most_length = 1 << 14;
  std::vector<std::int64_t> length_units = {1, 2, 4, 8};
  std::int64_t length_cost = 1 << 24;  ///< of one of these
  std::int64_t length_elements = 0;    ///< of the emulator for one (0: no bound)
  int products = 192;                  ///< at most, beyond what a block may hold
  std::int64_t most_product = 1 << 15;
  /// Elements (emulated_work.hpp) of a shape that meets every distribution for a branch of the plan, and of
  /// all of them times distributions.
  std::int64_t whole_elements = 1 << 22, whole_total = 1 << 27;

  /// Whether the emulator may be given the shape for one extent and other attributes than the task's.
  bool is_lone_with_attributes(const core::Task& shape) const;
  /// The same for its length alone.
  bool is_light(const core::Task& shape) const;
  /// The same of a dim that is long beside dims of two elements.
  bool is_told(const core::Task& shape) const;
};
constexpr std::int64_t kFlopsAByte = 100;

/// Of a promotion. Where no GPU runs them they are few and small.
ShapeBudget shape_budget(core::DeviceKind kind);

/// A shape that no list names.
struct MadeShape {
  core::Task task;
  std::string why;  ///< "near a constant of the file", "between check shapes", ...
  /// How many it meets: those of the budget, or fewer where it is dear (check_cases.hpp).
  int distributions = 3;
  bool lenient = false;  ///< a plan that cannot be resolved there is not asked to (as with `large`)
  /// A dim, or an attribute times a dim, is so much above the task's that a kernel that is right may not end
  /// (or ShapeBudget::told_may_be_slow).
  bool may_be_slow = false;
  /// Stands for nothing of the plan, and takes nothing from other shapes: no step and no choice counts as
  /// checked by it, the sanitizers and the soak do not see it, and it has no share of the distributions that
  /// the larger shapes of the emulator divide among them.
  bool is_aside = false;
};

struct MadeShapes {
  std::vector<MadeShape> shapes;
  std::vector<std::string> left_out;  ///< inside `requires` and wanted, but too dear: what, and why
};

/// Shapes of the judge's own inside the plan's `requires`, fresh for each seed and the same for the same
/// seed: at and near numbers that the file mentions, with other attributes, at twice and half the task's
/// dims, beside the task's own shape, beside and between the check shapes, one dim alone very long,
/// multiples, primes, random ones and alignments that are missing; of some candidates the one whose
/// remainders and sizes are new. Each is legal for the op, neither the task's own nor a check shape, and not
/// empty. Fewer than the budget says where `requires` leaves few.
MadeShapes made_shapes(const core::LaunchPlan& plan, std::string_view source, const core::Task& task,
                       const core::DeviceFacts& device, const ShapeBudget& budget, std::uint64_t seed);

}  // namespace kgen::judge
