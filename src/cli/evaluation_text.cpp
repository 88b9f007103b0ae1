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

<<<<<<< HEAD
=======
std::string join(const std::vector<std::string>& words, const char* separator = ", ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::int64_t count_state(const std::vector<Check>& checks, State state) {
  return std::count_if(checks.begin(), checks.end(),
                       [&](const Check& check) { return check.state == state; });
}

std::string checks_summary(const Evaluation& evaluation) {
  const auto& checks = evaluation.checks;
  const auto failed = count_state(checks, State::failed), skipped = count_state(checks, State::skipped);
  const auto ran = static_cast<std::int64_t>(checks.size()) - skipped;
  std::string text = std::to_string(ran - failed) + " of " + std::to_string(ran) + " passed";
  if (skipped > 0) text += ", " + std::to_string(skipped) + " could not run";
  if (evaluation.shapes_total > 0)
    text += "; covers " + std::to_string(evaluation.shapes_covered) + " of " +
            std::to_string(evaluation.shapes_total) + " shapes";
  return text;
}

/// What passed as a whole in a promotion: checks that belong to no shape, with what they looked at.
void add_whole_checks(const Evaluation& evaluation, LabelledLines& lines) {
  constexpr std::size_t kMostDetail = 100;
  std::string label = "promotion";
  for (const Check& check : evaluation.checks) {
    if (!check.dims.empty() || check.state != State::passed) continue;
    std::string detail = util::printable(check.detail);
    if (detail.size() > kMostDetail) detail = detail.substr(0, kMostDetail) + "...";
    lines.add(label, check.name + " passed" + (detail.empty() ? "" : ": " + detail));
    label.clear();
  }
}

std::string roofline_text(const core::Timing& timing) {
  return significant(timing.percent_of_roofline) + "% of " +
         (timing.ceiling_measured ? "roofline (copy bandwidth measured here"
                                  : "the datasheet's roofline (not measured here") +
         "; floor " + time_text(timing.floor_us) + ")";
}

std::string baseline_text(const core::BaselineTiming& baseline) {
  if (!baseline.time) return baseline.name + " not measured: " + baseline.why_missing;
  return speedup_text(baseline.speedup, baseline.speedup_low, baseline.speedup_high) + " over " +
         baseline.name + " (" + time_text(baseline.time->median_us) +
         (baseline.detail.empty() ? "" : ", " + baseline.detail) + ")";
}

void add_timing(const core::Timing& timing, LabelledLines& lines) {
  lines.add("time", interval_text(timing.candidate) + " (95%), " + std::to_string(timing.candidate.samples) +
                        " samples, method " + timing.method);
  std::string label = "speed-up";
  for (const auto& baseline : timing.baselines) {
    lines.add(label, baseline_text(baseline));
    label.clear();
  }
  lines.add("roofline", roofline_text(timing));
  std::string device;
  if (timing.sm_clock_mhz > 0) device = significant(timing.sm_clock_mhz, 4) + " MHz";
  if (timing.power_w > 0) device += ", " + significant(timing.power_w) + " W";
  if (timing.temperature_c > 0) device += ", " + significant(timing.temperature_c) + " C";
  if (!timing.throttle.empty()) device += ", throttled: " + timing.throttle;
  if (!device.empty()) lines.add("clock", device);
}

std::string kernel_text(const core::KernelFacts& kernel) {
  std::string text = kernel.name;
  if (kernel.registers >= 0) text += ": " + plural(kernel.registers, "register");
  if (kernel.spill_bytes > 0) text += ", " + bytes_text(kernel.spill_bytes) + " spilled";
  const std::int64_t shared =
      std::max<std::int64_t>(kernel.static_shared_bytes, 0) + kernel.dynamic_shared_bytes;
  if (shared > 0) text += ", " + bytes_text(shared) + " shared";
  if (kernel.occupancy >= 0)
    text += ", occupancy " + significant(100 * kernel.occupancy) + "%" +
            (kernel.occupancy_limit.empty() ? "" : " (limited by " + kernel.occupancy_limit + ")");
  return text;
}

std::string stages_text(const std::vector<core::Stage>& stages) {
  std::string text;
  double total = 0;
  for (const auto& stage : stages) {
    text += stage.name + " " + significant(stage.ms) + " ms, ";
    if (stage.name.find('/') == std::string::npos) total += stage.ms;
  }
  return text + "together " + significant(total) + " ms";
}

>>>>>>> 355854f (cuBLAS in fp64 as oracle of products, cuBLASLt with its algorithms tried as baseline)
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

/// Checks of one shape, together.
struct ShapeRow {
  std::string shape;
  std::int64_t passed = 0, failed = 0, skipped = 0;
  double worst_ratio = 0;
};

std::vector<ShapeRow> rows_by_shape(const std::vector<Check>& checks) {
  std::vector<ShapeRow> rows;
  for (const Check& check : checks) {
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
               significant(row.worst_ratio)});
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
