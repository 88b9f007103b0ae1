#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/report_run.hpp"

/// What the report's page is filled with: plain JSON, all texts as they are (html_page.hpp makes them safe).
namespace kgen::report {

nlohmann::json run_data(const ReportRun& run);

/// The index of a batch and its runs as JSON texts; a page reads that of a run when it is opened.
struct BatchData {
  std::string index;
  std::vector<std::string> runs;
};
/// Runs are left out, and said to be, once those before take more than `most_bytes`.
BatchData batch_data(const ReportBatch& batch, std::size_t most_bytes);

/// JSON as text; what is no UTF-8 is replaced.
std::string json_text(const nlohmann::json& data);

}  // namespace kgen::report
