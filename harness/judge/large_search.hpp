#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/large_shape.hpp"

// What the searches for large shapes have in common.
namespace kgen::judge {

inline constexpr std::int64_t kTwo31 = std::int64_t{1} << 31;
/// Steps of a reference in which shapes that are large by their inputs alone, or in one entry, may be
/// computed.
inline constexpr std::int64_t kMostSteps = std::int64_t{1} << 20;

/// What is looked for, and where.
struct LargeSearch {
  const core::LaunchPlan& plan;
  const core::Task& task;
  const core::DeviceFacts& device;
  const core::Variant& wanted;
  std::int64_t free_bytes;
};

std::int64_t largest_tensor(const core::Task& task);

/// Nothing where tensors have bytes beyond 64 bits.
std::optional<core::Task> with_extent(core::Task task, const std::string& dim, std::int64_t extent);

/// The smallest extent of a dim with which `size` of the task is more than `threshold`; 0: none.
std::int64_t stretched(const core::Task& task, const std::string& dim, std::int64_t threshold,
                       const std::function<std::int64_t(const core::Task&)>& size);

/// Of the dims that an extent mentions the longest by default (a side of an image, not of a filter).
std::string longest_dim(const core::Op& op, const util::Expr& extent);

/// Whether the reference computes them in reasonable time.
bool is_quick(const core::Task& task, const core::DeviceFacts& device, std::int64_t most_steps = kMostSteps);

/// The task's own shape and the op's check shapes, to be stretched.
std::vector<core::Task> bases_of(const core::Task& task);

/// What an extent is rounded up to, in turn: powers of two, and numbers that `requires` mentions.
std::vector<std::int64_t> granules_of(const core::LaunchPlan& plan);

/// Why the plan was not asked to do this one; empty: the choice's shape is set.
std::string try_shape(const LargeSearch& search, const core::Task& at, LargeChoice& out);

/// Notes what became of a shape that was tried and may be slow: it is the choice, or `reason` is the first
/// against one.
void take_slow(LargeChoice& out, const core::Task& at, const std::string& reason);

}  // namespace kgen::judge
