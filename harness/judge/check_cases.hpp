#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/evaluation.hpp"
#include "core/op.hpp"

namespace kgen::judge {

/// One execution to check: a shape (by index; 0 is the task's own) and a distribution of the op (by index).
struct CheckCase {
  std::size_t shape = 0;
  std::size_t distribution = 0;
  int draw = 0;  ///< which inputs of the distribution
};

/// Distributions of the screen tier under a seed: the first (standard normal), one compared for equality
/// where the op has any, and one more of those marked for the screen; the latter two rotate with the seed.
std::vector<std::size_t> screen_distributions(const core::Op& op, std::uint64_t seed);

/// Distributions of one shape that the judge made: the first, one compared for equality (else one with a
/// value in each row that is another than the rest), one with special values for every other shape, and
/// others, until there are `count`; which ones follows from the seed.
std::vector<std::size_t> made_distributions(const core::Op& op, std::uint64_t seed, int count = 3);

/// Distributions of shapes that are dear, or have more than 2^31 elements: the first, and one of the screen's
/// that are compared for equality (it follows from the seed): a term left out of a long sum is less than any
/// tolerance of it. Where results are whole numbers, which always are, one with a value in each row that is
/// another than the rest, or any.
std::vector<std::size_t> large_distributions(const core::Op& op, std::uint64_t seed);

/// Shapes by index: the task's own, then the op's check shapes, then those that the judge made.
struct ShapeCounts {
  std::size_t listed = 1;  ///< the task's own among them
  std::size_t made = 0;
  std::set<std::size_t> other_attributes{};  ///< of the made ones by index, those with other attributes
  /// Of the made ones by index how many distributions they meet, where not 3: more of made_distributions(),
  /// or, where they are dear, 2 large_distributions(), or 1, the first alone.
  std::map<std::size_t, int> distributions{};
  std::set<std::size_t> whole{};  ///< of the made ones by index, those that meet every distribution
  /// Of the shapes by index how often a promotion draws each distribution there, where not once
  /// (few_rows.hpp).
  std::map<std::size_t, int> draws{};
};

/// Cases in the order of their launches: shape and values change from one to the next, the task's shape comes
/// last. Screen: the screen's distributions at every shape, and each other distribution at one small shape in
/// turn. Promotion: every distribution at every listed shape, several times where `draws` says so, and
/// made_distributions() at the made ones (fewer where they are dear, all where `whole` says so), with those
/// that the op marks `with_attributes` where a made one has other attributes than the task.
std::vector<CheckCase> check_cases(const core::Op& op, const ShapeCounts& shapes, core::Tier tier,
                                   std::uint64_t seed);

/// Whether the distribution has special values here and there: only many elements hold some of each.
bool has_special_values(const core::Distribution& distribution);

/// Whether all results are whole numbers, which are always compared for equality.
bool has_whole_outputs(const core::Op& op, core::DType dtype);

/// How much the emulator executes of a shape, by its work (chosen_cases.cpp): up to the first it meets every
/// distribution, up to the second some of them, up to the third the first alone; beyond it is not run, but
/// for the task's own shape, which meets the first.
inline constexpr std::int64_t kEmulatedWhole = 96 << 10, kEmulatedInPart = 1 << 19, kEmulatedOnce = 1 << 22;

/// What of a tier's cases the emulator executes. `work`: of each shape, by its index. "Some" distributions
/// are the first, one compared for equality, those with special values here and there, those that the op
/// marks `with_attributes`, and of each other one shape in turn; the seed says where that begins.
std::vector<CheckCase> emulated_cases(const std::vector<CheckCase>& cases, const core::Op& op,
                                      const std::vector<std::int64_t>& work, std::uint64_t seed);

}  // namespace kgen::judge
