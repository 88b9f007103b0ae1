#pragma once

#include "core/launch_plan.hpp"
#include "core/pointee.hpp"
#include "core/task.hpp"

namespace kgen::core {

/// A choice of tunables: one variant of a candidate.
using Variant = std::map<std::string, std::int64_t>;

/// Type of one kernel parameter, from the compile role's probe.
struct ParameterType {
  enum class Kind { pointer, integer, floating, tensor_map, other };
  Kind kind = Kind::other;
  std::size_t bytes = 0;
  bool is_signed = false;
  std::string pointee;  ///< for pointers: a DType's name, "void", or the C++ type where it is neither
  bool pointee_const = false;
  std::string text;  ///< for messages
};

struct ResolvedTensorMap {
  std::string name, buffer;
  std::int64_t offset = 0;
  DType dtype = DType::f32;
  std::vector<std::uint64_t> global_dim, global_strides;
  std::vector<std::uint32_t> box_dim, element_strides;
  std::string swizzle, l2_promotion, interleave, oob_fill;
  std::int64_t box_bytes = 0;
};

/// A value to pass by bytes (integer or float), or the name of a tensor, workspace or tensor map.
struct ResolvedArgument {
  enum class Kind { buffer, tensor_map, integer, floating };
  Kind kind = Kind::integer;
  std::string name;  ///< of the buffer or tensor map
  std::int64_t integer = 0;
  double floating = 0;
  std::string type;  ///< spelled out in the plan, or empty
  std::string text;  ///< as written, for messages
};

struct ResolvedLaunch {
  std::size_t step = 0;  ///< index in the plan's launches, for messages
  std::string kernel;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};  ///< cluster 0: none
  std::int64_t dynamic_shared_bytes = 0;
  std::vector<ResolvedArgument> args;
  bool cooperative = false, pdl = false;
};

/// Threads of a grid of blocks; INT64_MAX where they are more than that.
std::int64_t threads_of(const std::array<std::int64_t, 3>& grid, const std::array<std::int64_t, 3>& block);

struct ResolvedFill {
  std::size_t step = 0;
  std::string target;
  std::int64_t value = 0;
};

struct ResolvedWorkspace {
  std::string name;
  std::int64_t bytes = 0;  ///< 0: a null pointer
};

/// A plan for one task and one variant: numbers only. Skipped steps are left out.
struct ResolvedPlan {
  Variant variant;
  std::vector<std::pair<std::string, std::int64_t>> macros;  ///< tunables, defines and TMX_BYTES, in order
  std::vector<ResolvedWorkspace> workspace;
  std::vector<ResolvedTensorMap> tensor_maps;
  std::vector<std::variant<ResolvedLaunch, ResolvedFill>> steps;
  /// Which of LaunchPlan::conditions hold; one that has no value here (beyond an int64, say) does not.
  std::vector<bool> conditions;
};

/// Whether `requires` holds for the task; where not, the failing condition's text.
PlanResult<std::optional<std::string>> unmet_requirement(const LaunchPlan& plan, const Task& task,
                                                         const DeviceFacts& device);

/// `wanted` where the constraints allow it for the task, else the defaults, else the first variant in the
/// order of the lists that they allow. Errors: where they allow none.
PlanResult<Variant> variant_near(const LaunchPlan& plan, const Task& task, const DeviceFacts& device,
                                 const Variant& wanted);

/// Every feasible choice of tunables for the task in the order of the lists, the defaults first where they
/// are feasible. Errors: where none is feasible.
PlanResult<std::vector<Variant>> feasible_variants(const LaunchPlan& plan, const Task& task,
                                                   const DeviceFacts& device);

/// Evaluates every expression of the plan. Checks grid, block, cluster and shared-memory limits, names,
/// tensor maps against the driver's rules and the buffer's bounds, and that every output with elements has an
/// active writer (a tensor in place: one that is active or skipped).
PlanResult<ResolvedPlan> resolve_plan(const LaunchPlan& plan, const Task& task, const DeviceFacts& device,
                                      const Variant& variant);

/// The same for the variant that variant_near() gives, in half of the time that the two take.
PlanResult<ResolvedPlan> resolve_plan_near(const LaunchPlan& plan, const Task& task,
                                           const DeviceFacts& device, const Variant& wanted);

/// Checks a launch's arguments against the kernel's parameters (count, pointer against scalar, pointee
/// against dtype, size, integer range) and lays out scalar bytes. One entry a parameter; buffers and tensor
/// maps stay names.
struct BoundArgument {
  enum class Kind { buffer, tensor_map, bytes };
  Kind kind = Kind::bytes;
  std::string name;
  std::string bytes;
};
PlanResult<std::vector<BoundArgument>> bind_arguments(const ResolvedLaunch& launch,
                                                      const std::vector<ParameterType>& parameters,
                                                      const Task& task, KernelOf whose = KernelOf::candidate);

}  // namespace kgen::core
