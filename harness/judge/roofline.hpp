#pragma once

#include "core/evaluation.hpp"
#include "core/task.hpp"

namespace kgen::judge {

/// Fills the two floors of a timing and the percentage of roofline. The roofline divides the op's own bytes
/// by the bandwidth measured on the device (else the datasheet's), and what its matrix products take by the
/// rate measured for the dtype (else the datasheet's), whichever is later; plausibility divides input bytes
/// (what the op's cost counts of them) plus the output bytes that the L2 cannot hold by the datasheet's
/// bandwidth: nothing honest is faster after a flush; and it is never below the time that its products take
/// at the datasheet's peak: no measured rate makes a time implausible.
Status fill_floors(const core::Task& task, const core::DeviceFacts& device, core::Timing& timing);

}  // namespace kgen::judge
