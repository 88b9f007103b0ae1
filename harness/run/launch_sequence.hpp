#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/resolved_plan.hpp"

namespace kgen::run {

/// A kernel to look up in a cubin, with what its occupancy depends on.
struct KernelToLoad {
  std::string name;          ///< as the plan writes it: "gemm<true>"
  std::string lowered_name;  ///< in the cubin
  std::int64_t dynamic_shared_bytes = 0;
  std::array<std::int64_t, 3> block{1, 1, 1}, cluster{0, 0, 0};
  bool cooperative = false;
};

/// One kernel launch. Buffers and tensor maps are named; scalars are bytes.
struct LaunchKernel {
  std::string lowered_name;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};  ///< cluster 0: none
  std::int64_t dynamic_shared_bytes = 0;
  bool cooperative = false, pdl = false;
  std::vector<core::BoundArgument> args;
};

/// Writes `count` elements of `element_bytes` (1, 2, 4 or 8), each the low bits of `pattern`, to the start of
/// a buffer.
struct FillBuffer {
  std::string buffer;
  int element_bytes = 4;
  std::uint64_t pattern = 0;
  std::int64_t count = 0;
};

/// One execution of a plan: what is launched, in order. Buffer names are those of the buffer set it runs on;
/// a name that the set lacks is an error, a buffer of 0 bytes a null pointer.
struct LaunchSequence {
  std::vector<core::ResolvedTensorMap> tensor_maps;
  std::vector<std::variant<LaunchKernel, FillBuffer>> steps;
  int num_sms = 0;  ///< that the emulator shows kernels (%nsmid); 0: its own
};

/// What the compile role found of one kernel of the plan.
struct CompiledKernel {
  std::string lowered_name;
  std::vector<core::ParameterType> parameters;
};

/// Binds every launch's arguments (core::bind_arguments) and turns fill steps into patterns: a tensor by
/// element of its own dtype, a workspace by 32-bit words. `kernels` is keyed by the plan's kernel names.
core::PlanResult<LaunchSequence> build_sequence(const core::ResolvedPlan& plan, const core::Task& task,
                                                const std::map<std::string, CompiledKernel>& kernels,
                                                core::KernelOf whose = core::KernelOf::candidate);

/// The kernels of a plan's launches, each with the largest block and dynamic shared memory it is launched
/// with.
std::vector<KernelToLoad> kernels_to_load(const core::ResolvedPlan& plan,
                                          const std::map<std::string, CompiledKernel>& kernels);

}  // namespace kgen::run
