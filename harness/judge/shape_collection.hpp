#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/resolved_plan.hpp"
#include "harness/judge/made_shapes.hpp"
#include "harness/judge/oracle_cost.hpp"

namespace kgen::judge {

/// Whether an output has no elements: the op's own check shapes hold what is to be seen there, and such a
/// shape, which costs nothing, would take the place of one that shows something.
bool is_empty(const core::Task& task);

/// Dims of a single element: places of different dims fall together there, or a distribution is drawn without
/// what it is for (one row, all masked).
std::int64_t count_thin(const core::Dims& dims);
/// Whether there are none.
bool is_full(const core::Dims& dims);

/// Steps of a right kernel at `at` where attributes are far above the task's: the largest times the longest
/// dim; else 0.
double steps_of_attributes(const core::Task& task, const core::Task& at);
/// That take one warp a tenth of a second.
inline constexpr double kManySteps = 1ull << 28;

/// What may become one of the shapes that the judge makes, and which there are already.
class ShapeCollection {
 public:
  ShapeCollection(const core::LaunchPlan& plan, const core::Task& task, const core::DeviceFacts& device,
                  const ShapeBudget& budget);

  /// The task at these extents, where the op allows them and `requires` holds.
  std::optional<core::Task> legal(const core::Dims& dims, const core::Attributes& attributes) const;
  /// The same where it may become one of the shapes: it is new, within the cost (flops and bytes), fits in
  /// the device's memory, is not empty, and the reference does it within the budget.
  std::optional<core::Task> accept(const core::Dims& dims, const core::Attributes& attributes,
                                   std::int64_t most_cost) const;
  /// What expected values and their comparison cost at a task, in operations (a byte counts as kFlopsAByte):
  /// of the reference, or of the cost model where that is more.
  std::int64_t price(const core::Task& task) const;
  /// Adds it and says how many distributions it meets where it is dear (MadeShape::distributions).
  void add(core::Task task, const char* why, std::optional<int> distributions = {});
  /// Adds it as one that stands for nothing of the plan (MadeShape::is_aside), where it meets one
  /// distribution and a plan need not resolve.
  void add_aside(core::Task task, const char* why);
  /// Notes that this one is inside `requires` and wanted, but too dear.
  void leave_out(const core::Task& task, const char* why);
  /// What this shape would show that those taken so far do not.
  std::size_t new_features(const core::Task& task) const;
  void know(const core::Task& task) { seen_.insert({task.dims, task.attributes}); }
  bool knows(const core::Task& task) const { return seen_.contains({task.dims, task.attributes}); }

  std::size_t count() const { return made.shapes.size(); }
  /// Whether the emulator may be given more (ShapeBudget::emulated_elements), or so much beyond that.
  bool has_room(std::int64_t beyond = 0) const;
  /// Whether a define of the plan takes its value from the name: then each extent is a compile of its own.
  bool is_compiled_in(const std::string& name) const;

  MadeShapes made;

 private:
  /// A dim, a modulus and the remainder; modulus 0: the order of magnitude. Kernels err by remainders (vector
  /// widths, tiles) and by size.
  using Feature = std::tuple<std::string, std::int64_t, std::int64_t>;
  static std::set<Feature> features_of(const core::Task& task);
  bool fits_in_memory(const core::Task& task) const;
  bool reference_can(const core::Task& task) const;
  bool is_very_long(const core::Task& task) const;
  /// Whether the expression mentions the name, or a `let` that does.
  bool depends_on(const util::Expr& expr, const std::string& name) const;

  const core::LaunchPlan& plan_;
  const core::Task& task_;
  const core::DeviceFacts& device_;
  const ShapeBudget& budget_;
  OracleCostModel oracle_;
  std::set<std::pair<core::Dims, core::Attributes>> seen_;
  std::set<Feature> features_;
  std::int64_t emulated_ = 0;  ///< elements, of all shapes
};

/// Flops and bytes of the cost model together, at most INT64_MAX.
std::int64_t whole_cost(const core::Task& task);

}  // namespace kgen::judge
