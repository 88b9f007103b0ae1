#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/report_run.hpp"
#include "report/string_table.hpp"

namespace kgen::report {

/// A candidate as the report's page takes it: its row, what it was asked for and answered, its source, what
/// changed against its parent, its evaluations. `place` is its place in the run's candidates, from 0.
nlohmann::json candidate_data(const ReportRun& run, std::size_t place, StringTable& strings);

}  // namespace kgen::report
