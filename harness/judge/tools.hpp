#pragma once

#include <string>
#include <vector>

#include "core/protocol.hpp"

namespace kgen::judge {

/// How `kgen doctor` sees what this machine offers. Each is one line: ok, or what to do.
core::ToolReport driver_report();
/// Whether this interpreter finds torch, without importing it.
core::ToolReport torch_report(const std::string& python);
core::ToolReport sanitizer_report();
core::ToolReport disassembler_report();
core::ToolReport cupti_report();
/// Whether the driver lets everybody read performance counters. `params`: the driver's own file.
core::ToolReport profiler_report(const std::string& params = "/proc/driver/nvidia/params");

}  // namespace kgen::judge
