#pragma once

#include "core/protocol.hpp"

namespace kgen::profile {

/// What `kgen doctor` says of CUPTI: whether it is installed, and whether the driver lets this user count.
/// Opens nothing: CUPTI belongs to the profile processes alone.
core::ToolReport profiler_report();

/// The same from what was found. `library`: empty where there is none. `params`: the text of
/// /proc/driver/nvidia/params. `admin`: whether this process may administer the system.
core::ToolReport profiler_report(const std::string& library, const std::string& params, bool admin);

}  // namespace kgen::profile
