#pragma once

#include <string>

#include "report/report_run.hpp"

/// A run or a batch for the description of a pull request: GitHub's Markdown, concise. Texts of models,
/// kernels and people stand in code spans, where they are no markup (markdown_escape.hpp).
namespace kgen::report {

std::string markdown_report(const ReportRun& run);
std::string markdown_report(const ReportBatch& batch);

}  // namespace kgen::report
