#pragma once

#include "core/device_facts.hpp"
#include "core/evaluation.hpp"
#include "core/profile.hpp"
#include "harness/run/occupancy_limit.hpp"

namespace kgen::judge {

/// What a multiprocessor of the device has.
run::SmLimits sm_limits(const core::DeviceFacts& device);

/// Adds what is known of a kernel's launches without running them, under Nsight Compute's names: registers,
/// shared memory, the blocks that each resource allows, waves, and what one more block would ask for. The
/// metrics have launch__grid_size and launch__count already.
void add_launch_facts(const core::KernelFacts& kernel, const core::DeviceFacts& device,
                      core::Metrics& metrics);

}  // namespace kgen::judge
