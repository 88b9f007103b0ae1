#pragma once

#include "core/evaluation.hpp"
#include "core/task.hpp"

namespace kgen::judge {

/// Fills the two floors of a timing and the percentage of roofline. The roofline divides the op's own bytes
/// by the bandwidth measured on the device (else the datasheet's); plausibility divides input bytes plus the
/// output bytes that the L2 cannot hold by the datasheet's bandwidth: nothing honest is faster after a flush.
/// Where the op does matrix products, neither is below the time that these take at the datasheet's peak.
Status fill_floors(const core::Task& task, const core::DeviceFacts& device, core::Timing& timing);

}  // namespace kgen::judge
