#pragma once

#include "core/launch_plan.hpp"
#include "core/resolved_plan.hpp"

namespace kgen::core {

/// What the names in a plan's expressions stand for, for one task on one device: dims, attributes, dtypes,
/// device facts, and, once a variant is chosen, tunables and `let`. Keeps a reference to the plan.
class PlanScope {
 public:
  /// Problems: a name of the plan that the task has already, and unknown names anywhere in the plan, skipped
  /// steps and branches included.
  static PlanResult<PlanScope> make(const LaunchPlan& plan, const Task& task, const DeviceFacts& device);

  /// Takes over the variant's tunables (the defaults for those it does not name) and computes `let`.
  PlanResult<void> choose(const Variant& variant);
  const Variant& variant() const { return variant_; }

  PlanResult<std::int64_t> evaluate(std::string_view field, const util::Expr& expr) const;
  /// The first of `conditions` that is false, by index.
  PlanResult<std::optional<std::size_t>> first_false(std::string_view field,
                                                     const std::vector<util::Expr>& conditions) const;

  const std::vector<TensorFacts>& tensors() const { return tensors_; }
  const TensorFacts* find_tensor(std::string_view name) const;
  const TensorMapSpec* find_tensor_map(std::string_view name) const;
  bool is_workspace(std::string_view name) const;
  bool is_float_attribute(std::string_view name) const;

 private:
  using Values = std::map<std::string, std::int64_t, std::less<>>;

  PlanResult<void> load_task(const DeviceFacts& device);
  PlanResult<void> check_new_names() const;
  PlanResult<void> check_known_names() const;
  PlanResult<void> check_expr(std::string_view field, const util::Expr& expr, const Values& known) const;
  std::string what_is(std::string_view name, std::string_view field) const;

  const LaunchPlan* plan_ = nullptr;
  const Task* task_ = nullptr;
  std::vector<TensorFacts> tensors_;
  Variant variant_;
  util::Scope of_task_, all_;
  std::shared_ptr<Values> chosen_ = std::make_shared<Values>();  ///< tunables and let
};

/// Chooses what variant_near() (resolved_plan.hpp) gives.
PlanResult<Variant> choose_near(PlanScope& scope, const LaunchPlan& plan, const Task& task,
                                const Variant& wanted);

}  // namespace kgen::core
