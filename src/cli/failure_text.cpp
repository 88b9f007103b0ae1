#include "cli/failure_text.hpp"

#include <set>

#include "cli/evaluation_text.hpp"
#include "cli/number_text.hpp"
#include "cli/status_line.hpp"
#include "cli/text_table.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

constexpr std::size_t kDiagnostics = 8;   // shown
constexpr int kFailedChecks = 4;          // shown in full
constexpr std::size_t kMostReason = 300;  // characters: it may name hundreds of shapes

std::string diagnostics_text(const core::CompileReport& compile) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& diagnostic : compile.diagnostics) {
    if (diagnostic.severity == "note" || ++shown > kDiagnostics) continue;
    text += "  " + diagnostic.severity +
            (diagnostic.line > 0 ? " at line " + std::to_string(diagnostic.line) : "") + ": " +
            util::printable(diagnostic.message) + "\n";
    if (!diagnostic.source_line.empty()) text += "      " + util::printable(diagnostic.source_line) + "\n";
  }
  if (shown > kDiagnostics) text += "  and " + std::to_string(shown - kDiagnostics) + " more\n";
  return text;
}

std::string mismatch_text(const core::Mismatch& mismatch) {
  using Align = TextTable::Align;
  const std::string text = "    " + report::mismatch_summary(mismatch);
  TextTable table(
      {{"element"}, {"expected", Align::right}, {"got", Align::right}, {"tolerance", Align::right}});
  for (const auto& element : mismatch.worst)
    table.add({report::element_name(element), significant(element.expected, 8), significant(element.got, 8),
               significant(element.tolerance)});
  return text + "\n" + (table.empty() ? "" : table.text(4));
}

std::string failed_check_text(const core::Check& check) {
  std::string text = "  " + check.name + " failed at " + shape_of(check);
  if (!check.distribution.empty()) text += ", inputs '" + check.distribution + "'";
  text += ", seed " + std::to_string(check.seed);
  if (!check.detail.empty()) text += ": " + util::printable(check.detail);
  text += "\n";
  return check.mismatch ? text + mismatch_text(*check.mismatch) : text;
}

std::string skipped_reason(const core::Check& check) {
  const std::string reason = util::printable(check.detail), shown = cut_to_width(reason, kMostReason);
  return shown.size() < reason.size() ? shown + "... (all of it in the JSON)" : reason;
}

std::string skipped_text(const std::vector<core::Check>& checks) {
  std::set<std::string> reasons;
  for (const auto& check : checks)
    if (check.state == core::Check::State::skipped)
      reasons.insert("  " + check.name + " did not run: " + skipped_reason(check) + "\n");
  std::string text;
  for (const auto& reason : reasons) text += reason;
  return text;
}

}  // namespace

std::string failures_text(const core::Evaluation& evaluation) {
  std::string text = evaluation.compile.ok ? "" : diagnostics_text(evaluation.compile);
  int failed = 0;
  for (const auto& check : evaluation.checks)
    if (check.state == core::Check::State::failed && ++failed <= kFailedChecks)
      text += failed_check_text(check);
  if (failed > kFailedChecks) text += "  and " + plural(failed - kFailedChecks, "more failed check") + "\n";
  return text + skipped_text(evaluation.checks);
}

}  // namespace kgen::cli
