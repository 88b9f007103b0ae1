#include "harness/sanitize/finding.hpp"

#include <algorithm>

#include "harness/compile/compiler_log.hpp"
#include "harness/compile/source_text.hpp"

namespace kgen::sanitize {
namespace {

using core::Verdict;

struct Row {
  std::string_view heading;  ///< a part of it
  std::string_view address;  ///< a part of it
  Verdict verdict;
  const char* kind;
};
/// The first row that fits names the verdict.
constexpr Row kRows[] = {
    {"Invalid __", "misaligned", Verdict::fault, "misaligned"},
    {"Invalid __global__ read", "", Verdict::out_of_bounds, "over_read"},
    {"Invalid __global__", "", Verdict::out_of_bounds, "over_write"},
    {"Invalid __shared__", "", Verdict::out_of_bounds, "shared_memory"},
    {"Invalid __local__", "", Verdict::out_of_bounds, "local_memory"},
    {"Invalid __", "", Verdict::out_of_bounds, "memcheck"},
    {"Uninitialized", "", Verdict::uninitialised_read, "global_memory"},
    {"Race reported", "", Verdict::race, "shared_memory"},
    {"Potential invalid __shared__", "", Verdict::race, "cluster_exit"},
    {"Potential ", "", Verdict::race, "shared_memory"},
    {"Deadlock detected", "", Verdict::bad_sync, "deadlock"},
    {"Divergent thread(s) in block", "", Verdict::bad_sync, "divergent_block"},
    {"Divergent thread(s) in warp", "", Verdict::bad_sync, "divergent_warp"},
    {"Invalid arguments", "", Verdict::bad_sync, "barrier_arguments"},
    {"Barrier error", "", Verdict::bad_sync, "barrier"},
    {"Warpgroup MMA", "", Verdict::bad_sync, "warpgroup_mma"},
    {"Malloc/Free", "", Verdict::fault, "device_heap"},
    {"", "", Verdict::fault, "memcheck"},
};

const Row& row_of(const Report& report) {
  return *std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) {
    return report.heading.find(row.heading) != std::string::npos &&
           report.address.find(row.address) != std::string::npos;
  });
}

std::string place_text(const Place& place, std::string_view source) {
  std::string text = " in " + place.kernel;
  if (place.line == 0) return text;
  if (place.file != compile::kCandidateFile)
    return text + ", " + place.file + " line " + std::to_string(place.line);
  text = " at line " + std::to_string(place.line);
  std::string code = compile::source_line(source, place.line);
  code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
  return code.empty() ? text : text + " (`" + code + "`)";
}

/// Each place once; a race within one line is named once.
std::string places_text(const Report& report, std::string_view source) {
  std::string text;
  for (const Place& place : report.places) {
    const std::string one = place_text(place, source);
    if (text.find(one) == std::string::npos) text += (text.empty() ? "" : " and") + one;
  }
  return text;
}

std::string report_text(const Report& report, std::string_view source) {
  std::string text = report.heading;
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  text += places_text(report, source);
  if (!report.thread.empty()) text += ", " + report.thread;
  return report.address.empty() ? text : text + ", the address " + report.address;
}

std::string why_unfinished(const ToolRun& run, const ToolLog& log) {
  if (!run.why.empty()) return run.why;
  if (!log.troubles.empty()) return "the tool says: " + log.troubles.front();
  return "the tool came to no end with " + std::to_string(run.cases_done) + " of " +
         std::to_string(run.cases) + " shapes run";
}

/// Whether a tool that does not follow asynchronous barriers may misjudge this: where a kernel that it names
/// uses them, or where it names none that is known and any does.
bool may_misjudge(const ToolRun& run, const Report& report, const LaunchedKernels& kernels) {
  if (run.tool != "racecheck" && run.tool != "synccheck") return false;
  bool is_known = false;
  for (const Place& place : report.places) {
    const std::string name = base_name_of(place.kernel);
    if (kernels.async.contains(name)) return true;
    is_known = is_known || kernels.names.contains(name);
  }
  return !is_known && !kernels.async.empty();
}

}  // namespace

Finding judge_run(const ToolRun& run, std::string_view source, const LaunchedKernels& kernels) {
  const ToolLog log = parse_log(run.log);
  Finding out;
  // What the tool can judge comes before what it may misjudge.
  const auto counts = [](const Report& report) { return report.severity != "info"; };
  auto found = std::ranges::find_if(log.reports, [&](const Report& report) {
    return counts(report) && !may_misjudge(run, report, kernels);
  });
  const bool is_judged = found != log.reports.end();
  if (!is_judged) found = std::ranges::find_if(log.reports, counts);
  if (found == log.reports.end()) {
    const bool clean = log.finished && log.errors == 0 && log.troubles.empty() && run.cases_done == run.cases;
    out.state = clean ? core::Check::State::passed : core::Check::State::skipped;
    out.text = clean ? std::to_string(run.cases) + " shapes: " + run.shapes : why_unfinished(run, log);
    return out;
  }
  const Row& row = row_of(*found);
  out.text = report_text(*found, source);
  if (log.reports.size() > 1) out.text += " (and " + std::to_string(log.reports.size() - 1) + " more)";
  if (!is_judged) {
    out.unchecked = true;
    out.text = "reports what it may misjudge, since the kernel uses asynchronous barriers: " + out.text;
    return out;
  }
  out.state = core::Check::State::failed;
  out.verdict = row.verdict;
  out.kind = row.kind;
  return out;
}

}  // namespace kgen::sanitize
