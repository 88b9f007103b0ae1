#include "cli/evaluation_text.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cli/failure_text.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using core::Check;
using core::Evaluation;
using State = Check::State;

constexpr int kOutputLines = 20;

/// What the kernel printed, each line marked, so that it cannot pass for a line of kgen's.
std::string kernel_output_text(const std::string& output) {
  std::string text = "  the kernel printed (its own words, not kgen's):\n";
  std::istringstream lines(util::printable(output));
  int shown = 0;
  for (std::string line; std::getline(lines, line);) {
    if (++shown > kOutputLines) return text + "  | ... and more, in the JSON\n";
    text += "  | " + line + "\n";
  }
  return text;
}

/// Checks of the candidate at one shape, together.
struct ShapeRow {
  std::string shape;
  std::int64_t passed = 0, failed = 0, skipped = 0;
  double worst_ratio = 0;
};

std::vector<ShapeRow> rows_by_shape(const std::vector<Check>& checks) {
  std::vector<ShapeRow> rows;
  for (const Check& check : checks) {
    if (!report::is_of_candidate(check)) continue;
    const std::string shape = shape_of(check);
    auto row = std::find_if(rows.begin(), rows.end(), [&](const ShapeRow& r) { return r.shape == shape; });
    if (row == rows.end()) row = rows.insert(rows.end(), {shape, 0, 0, 0, 0});
    ++(check.state == State::passed   ? row->passed
       : check.state == State::failed ? row->failed
                                      : row->skipped);
    if (check.worst_ratio > row->worst_ratio || std::isnan(check.worst_ratio))
      row->worst_ratio = check.worst_ratio;
  }
  return rows;
}

}  // namespace

std::string verdict_text(core::Verdict verdict, const std::string& kind, bool color) {
  const util::Color paint_with = verdict == core::Verdict::correct   ? util::Color::green
                                 : verdict == core::Verdict::not_run ? util::Color::yellow
                                                                     : util::Color::red;
  std::string text = util::paint(core::name_of(verdict), paint_with, color);
  return kind.empty() ? text : text + " (" + kind + ")";
}

std::string evaluation_facts(const Evaluation& evaluation) {
  LabelledLines lines;
  for (const auto& [label, text] : report::facts_of(evaluation)) lines.add(label, text);
  return lines.text();
}

std::string checks_table(const Evaluation& evaluation) {
  using Align = TextTable::Align;
  TextTable table({{"shape"},
                   {"passed", Align::right},
                   {"failed", Align::right},
                   {"not run", Align::right},
                   {"worst error / tolerance", Align::right}});
  for (const ShapeRow& row : rows_by_shape(evaluation.checks))
    table.add({row.shape, std::to_string(row.passed), std::to_string(row.failed), std::to_string(row.skipped),
               error_ratio_text(row.worst_ratio)});
  return table.empty() ? "" : table.text(2);
}

std::string evaluation_text(const std::string& title, const Evaluation& evaluation, bool color) {
  std::string text = title + "\n" + verdict_text(evaluation.verdict, evaluation.kind, color);
  if (!evaluation.message.empty()) text += ": " + util::printable(evaluation.message);
  text += "\n\n" + evaluation_facts(evaluation);
  if (const std::string table = checks_table(evaluation); !table.empty()) text += "\n" + table;
  if (const std::string failures = failures_text(evaluation); !failures.empty()) text += "\n" + failures;
  if (!evaluation.kernel_output.empty()) text += "\n" + kernel_output_text(evaluation.kernel_output);
  return text;
}

}  // namespace kgen::cli
