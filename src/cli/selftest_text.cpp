#include "cli/selftest_text.hpp"

#include <algorithm>

#include "cli/evaluation_text.hpp"
#include "cli/number_text.hpp"
#include "core/protocol.hpp"
#include "selftest/trial_table.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using selftest::TrialResult;

std::int64_t failures_in(const std::vector<TrialResult>& results) {
  return std::count_if(results.begin(), results.end(),
                       [](const TrialResult& result) { return selftest::is_failure(result.outcome); });
}

std::string conclusion(const SelftestReport& report, bool color) {
  const std::int64_t failures = failures_in(report.results);
  if (failures > 0)
    return util::paint(plural(failures, "trial") + " failed", util::Color::red, color) +
           ": do not believe this judge on this device; please report it with the seed above\n";
  if (report.problem)
    return util::paint("ended early", util::Color::yellow, color) + ": nothing failed until then\n";
  const bool emulated = report.device.kind == core::DeviceKind::emulator;
  return util::paint("passed", util::Color::green, color) + ": no kernel was accepted that should not be" +
         (emulated ? ", on the emulator: what only a GPU shows was not tried" : "") + "\n";
}

}  // namespace

core::ExitCode exit_code_of(const SelftestReport& report) {
  if (failures_in(report.results) > 0) return core::ExitCode::not_met;
  if (report.problem) return core::exit_code_for(report.problem->kind);
  return selftest::all_well(report.results) ? core::ExitCode::ok : core::ExitCode::not_met;
}

std::string progress_line(std::size_t number, std::size_t total, const TrialResult& result) {
  std::string text = std::to_string(number) + "/" + std::to_string(total) + " " + result.kernel + " " +
                     result.dtype + ": " + std::string(selftest::name_of(result.outcome));
  if (!result.verdict.empty()) text += ", " + result.verdict;
  const std::string by = result.kind.empty() ? result.caught_by : result.kind;
  if (!by.empty()) text += " (" + by + ")";
  if (selftest::is_failure(result.outcome) && !result.detail.empty())
    text += ": " + util::printable(result.detail);
  return text;
}

std::string selftest_text(const SelftestReport& report, bool color) {
  std::string text = "the judge on " + device_title(report.device) + ", seed " + std::to_string(report.seed) +
                     "\n\n" + selftest::table_heading();
  for (TrialResult result : report.results) {
    result.detail = util::printable(result.detail);
    text += selftest::table_line(result);
  }
  const std::string checks = selftest::checks_table(report.results);
  if (!checks.empty()) text += "\n" + checks;
  return text + "\n" + selftest::summary(report.results) + conclusion(report, color);
}

nlohmann::json selftest_json(const SelftestReport& report) {
  nlohmann::json json{{"device", core::to_json(report.device)},
                      {"seed", report.seed},
                      {"results", nlohmann::json::array()},
                      {"outcomes", selftest::outcome_counts(report.results)},
                      {"caught_by", selftest::caught_by_check(report.results)},
                      {"exit_code", static_cast<int>(exit_code_of(report))}};
  for (const TrialResult& result : report.results) json["results"].push_back(selftest::to_json(result));
  if (report.problem) json["error"] = core::to_json(*report.problem);
  return json;
}

}  // namespace kgen::cli
