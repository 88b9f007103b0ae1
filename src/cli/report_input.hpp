#pragma once

#include <filesystem>

#include "report/report_run.hpp"
#include "util/error.hpp"

namespace kgen::cli {

/// A run as it lies in its folder, with every candidate's files. Errors: bad_input where the folder is no run
/// directory or a file in it does not parse; a file that is not there is empty.
Result<report::ReportRun> read_report_run(const std::filesystem::path& folder);

/// A batch and all its runs. Errors: as above.
Result<report::ReportBatch> read_report_batch(const std::filesystem::path& folder);

}  // namespace kgen::cli
