#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/report_run.hpp"

/// What the report's charts show (src/report/assets/charts.js).
namespace kgen::report {

/// [{label, kind, us, low, high, text}, ...]: the baselines, then every candidate that was timed, in their
/// order. `kind` is "library", "baseline", "candidate" or "best"; times are microseconds.
nlohmann::json bars_data(const ReportRun& run);

/// {intensity, bandwidth_gbs, roof_gflops, measured, points: [{label, kind, gflops}]}: operations over bytes
/// of the task's cost model against operations a second (Williams, Waterman and Patterson 2009). The roof at
/// this intensity is the one that the judge divided by. `measured`: the bandwidth was. Null where nothing was
/// timed, or the op counts no operations or bytes.
nlohmann::json roofline_data(const ReportRun& run);

}  // namespace kgen::report
