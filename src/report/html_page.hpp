#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report_run.hpp"

/// The report as one HTML file that needs no network (docs/reports.md). Nothing that came from a model, a
/// kernel or an op's author can run in it: their texts are data in <script type="application/json">, which
/// the page's own scripts put in place as text, and a content security policy names those scripts by hash.
namespace kgen::report {

/// Most bytes of runs in the report of a batch; the index names those left out.
inline constexpr std::size_t kMostRunBytes = std::size_t{64} << 20;

std::string html_report(const ReportRun& run);
std::string html_report(const ReportBatch& batch, std::size_t most_run_bytes = kMostRunBytes);

/// `json` with every <, >, &, U+2028 and U+2029 as an escape: the same JSON, which ends no script element.
std::string escaped_json(std::string_view json);
/// `text` for an HTML element's text or a quoted attribute.
std::string escaped_html(std::string_view text);

}  // namespace kgen::report
