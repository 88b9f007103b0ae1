#include "harness/judge/alignment_shapes.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace kgen::judge {
namespace {

constexpr int kPowers = 6;  ///< 1, 2, ..., 32
/// Below, a loop that leaves out a tail may have none; beyond, what it leaves out of a sum may be too little.
constexpr std::int64_t kLeastExtent = 16, kLargestExtent = 512;
constexpr int kAttempts = 60;  ///< for one shape
constexpr int kTogether = 30;  ///< of these, with other dims aligned alike

/// A dim and the exponent of the largest power of two that divides its extent.
using Alignment = std::pair<std::string, int>;

std::set<Alignment> alignments_of(const core::Task& task) {
  std::set<Alignment> out;
  for (const auto& [name, extent] : task.dims) {
    if (extent < kLeastExtent || extent > kLargestExtent) continue;
    const int exponent = std::countr_zero(static_cast<std::uint64_t>(extent));
    if (exponent < kPowers) out.insert({name, exponent});
  }
  return out;
}

/// Those that are met without shapes of this kind.
std::set<Alignment> met_already(const ShapeCollection& out, const ShapeSources& from) {
  std::set<Alignment> met = alignments_of(from.task);
  for (const auto& listed : from.task.op->check_shapes) {
    const auto task = out.legal(listed.dims, listed.attributes);
    if (task && !is_empty(*task)) met.merge(alignments_of(*task));
  }
  for (const MadeShape& made : out.made.shapes) met.merge(alignments_of(made.task));
  return met;
}

/// An odd number of times a power of two, every other time times the odd part of a number of the file, to
/// which `requires` may tie the extent. At most kLargestExtent, where that odd part leaves room.
std::int64_t aligned_extent(ShapeDraws& draws, const ShapeSources& from, int exponent) {
  std::int64_t odd = 1;
  if (!from.constants.empty() && draws.upto(2) == 0) {
    const std::int64_t constant = draws.of(from.constants);
    odd = constant >> std::countr_zero(static_cast<std::uint64_t>(constant));
  }
  const std::int64_t least = odd << exponent;
  const std::int64_t most_times = std::max<std::int64_t>(1, kLargestExtent / least);
  const auto times = static_cast<std::int64_t>(draws.upto(static_cast<U64>(most_times))) | 1;
  return least * times;
}

/// A shape whose `looked_at` has this alignment: at first one where every other dim that lacks it has it too.
std::optional<core::Task> aligned_shape(const ShapeCollection& out, const ShapeSources& from,
                                        ShapeDraws& draws, const ShapeBudget& budget,
                                        const std::set<Alignment>& met, const Alignment& looked_at) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    core::Dims dims;
    for (const std::string& name : from.task.op->dim_names) {
      const bool lacks = !met.contains({name, looked_at.second});
      const bool aligned = name == looked_at.first || (lacks && attempt < kTogether && draws.upto(4) != 0);
      dims[name] =
          aligned ? aligned_extent(draws, from, looked_at.second) : draw_small_companion(draws, from, name);
    }
    auto shape = out.accept(dims, {}, budget.small_cost);
    if (shape && alignments_of(*shape).contains(looked_at)) return shape;
  }
  return std::nullopt;
}

}  // namespace

void add_missing_alignments(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                            const ShapeBudget& budget) {
  std::set<Alignment> met = met_already(out, from);
  int added = 0;
  for (int exponent = 0; exponent < kPowers; ++exponent) {
    for (const std::string& name : from.task.op->dim_names) {
      if (added == budget.alignments) return;
      const Alignment looked_at{name, exponent};
      if (met.contains(looked_at)) continue;
      auto shape = aligned_shape(out, from, draws, budget, met, looked_at);
      if (!shape) continue;
      met.merge(alignments_of(*shape));
      out.add(std::move(*shape), "an alignment that no other shape has");
      ++added;
    }
  }
}

}  // namespace kgen::judge
