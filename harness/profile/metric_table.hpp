#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace kgen::profile {

/// A metric that a profile wants, by the name under which it is recorded (that of GH100), and what other
/// chips have in its place, tried in order.
struct WantedMetric {
  std::string_view name;
  std::vector<std::string_view> instead;
};

/// Everything a profile asks for, most important first. Names are those of CUPTI's Profiler Host API; which
/// of them a chip has is asked, never assumed.
const std::vector<WantedMetric>& wanted_metrics();

/// What warps wait for, as CUPTI calls it: "long_scoreboard", "barrier". Their metrics are
/// "smsp__average_warps_issue_stalled_<reason>_per_issue_active.ratio".
std::span<const std::string_view> stall_reasons();

}  // namespace kgen::profile
