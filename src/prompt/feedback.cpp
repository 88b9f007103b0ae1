#include "prompt/feedback.hpp"

#include <algorithm>

#include "prompt/format.hpp"
#include "prompt/profile_feedback.hpp"

namespace kgen::prompt {
namespace {

constexpr std::size_t kMostDiagnostics = 12;
constexpr std::size_t kMostChecks = 6;
constexpr std::size_t kMostLog = 1500;
constexpr std::size_t kMostOutput = 1000;
constexpr std::size_t kMostTried = 12;

using Names = std::vector<std::string>;

std::string diagnostics_text(const core::CompileReport& report) {
  std::string text;
  std::size_t shown = 0;
  for (const core::Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.severity == "note" && shown > 0) continue;
    if (shown++ == kMostDiagnostics) {
      text += "- ... and more of the same kind\n";
      break;
    }
    text += "- " + diagnostic.severity +
            (diagnostic.line > 0 ? ", line " + std::to_string(diagnostic.line) : "") + ": " +
            one_line(diagnostic.message, 400) + "\n";
    if (!diagnostic.source_line.empty())
      text += "\n" + quoted("  " + one_line(diagnostic.source_line, 200)) + "\n\n";
  }
  if (text.empty() && !report.ok && !report.log.empty())
    text = "The compiler's log:\n\n" + quoted(cut(report.log, kMostLog)) + "\n";
  return text;
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string text;
  for (const std::int64_t i : index) text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "[" + text + "]";
}

std::string mismatch_text(const core::Mismatch& mismatch) {
  std::string text =
      "  " + grouped(mismatch.wrong) + " of " + grouped(mismatch.total) + " elements are wrong";
  text += mismatch.pattern.empty() ? ".\n" : "; " + mismatch.pattern + ".\n";
  if (mismatch.worst.empty()) return text;
  std::vector<std::vector<std::string>> rows;
  for (const core::WrongElement& element : mismatch.worst) {
    rows.push_back({element.tensor + index_text(element.index), number(element.expected, 9),
                    number(element.got, 9), number(element.tolerance, 3)});
  }
  return text + "\n" + table({"element", "expected", "got", "tolerance"}, rows) + "\n";
}

std::string where(const core::Check& check, const Names& order) {
  std::string text = dims_text(check.dims, order);
  if (!check.distribution.empty())
    text += (text.empty() ? "" : ", ") + ("values '" + check.distribution + "'");
  return text.empty() ? "" : " (" + text + ")";
}

std::string checks_text(const std::vector<core::Check>& checks, const Names& order) {
  std::string text, passed;
  std::size_t shown = 0, failed = 0;
  for (const core::Check& check : checks) {
    if (check.state == core::Check::State::passed) {
      const std::string name = check.name + where(check, order);
      if (passed.size() < 400) passed += (passed.empty() ? "" : "; ") + name;
    }
    if (check.state != core::Check::State::failed) continue;
    if (failed++ >= kMostChecks) continue;
    ++shown;
    text += "- check '" + check.name + "' failed" + where(check, order) +
            (check.detail.empty() ? "" : ": " + one_line(check.detail, 400)) + "\n";
    if (check.mismatch) text += mismatch_text(*check.mismatch);
  }
  if (failed > shown) text += "- and " + std::to_string(failed - shown) + " further failures\n";
  if (failed > 0 && !passed.empty()) text += "- passed: " + passed + "\n";
  return text;
}

std::string kernels_text(const core::CompileReport& report) {
  std::vector<std::vector<std::string>> rows;
  const auto known = [](std::int64_t value) { return value < 0 ? std::string("?") : std::to_string(value); };
  for (const core::KernelFacts& kernel : report.kernels) {
    rows.push_back({one_line(kernel.name, 60), known(kernel.registers), known(kernel.spill_bytes),
                    known(kernel.stack_bytes),
                    known(kernel.static_shared_bytes) + " + " + std::to_string(kernel.dynamic_shared_bytes),
                    std::to_string(kernel.threads_per_block), known(kernel.blocks_per_sm),
                    kernel.occupancy < 0
                        ? "?"
                        : number(100 * kernel.occupancy, 3) + "%" +
                              (kernel.occupancy_limit.empty() ? "" : ", by " + kernel.occupancy_limit)});
  }
  std::string text;
  if (!rows.empty()) {
    text = "\n" + table({"kernel", "registers", "spilled bytes", "stack", "shared (static + dynamic)",
                         "threads", "blocks an SM", "occupancy"},
                        rows);
  }
  for (const std::string& warning : report.performance_warnings)
    text += "\n- compiler, about speed: " + one_line(warning, 300);
  return report.performance_warnings.empty() ? text : text + "\n";
}

std::string interval_text(const core::Interval& time) {
  return time_text(time.median_us) + " (95% interval " + number(time.low_us) + " to " + number(time.high_us) +
         " us)";
}

std::string timing_text(const core::Timing& timing) {
  std::string text = "Median " + interval_text(timing.candidate) + ", cold caches.";
  if (timing.floor_us > 0) {
    text += " The floor is " + time_text(timing.floor_us) +
            (timing.ceiling_measured ? "" : " (of datasheet)") + ": this is **" +
            number(timing.percent_of_roofline, 3) + "% of roofline**.";
  }
  text += "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const core::BaselineTiming& baseline : timing.baselines) {
    if (!baseline.time) continue;
    rows.push_back({baseline.name, time_text(baseline.time->median_us),
                    number(baseline.speedup) + "x (" + number(baseline.speedup_low) + " to " +
                        number(baseline.speedup_high) + ")"});
  }
  if (!rows.empty()) text += table({"baseline", "its time", "this kernel is"}, rows);
  return text;
}

}  // namespace

std::string verdict_text(core::Verdict verdict, const std::string& kind) {
  return std::string(core::name_of(verdict)) + (kind.empty() ? "" : " (" + kind + ")");
}

std::string feedback_text(const core::Evaluation& evaluation, const std::vector<std::string>& dim_order,
                          const std::string& source) {
  std::string text = "Verdict: **" + verdict_text(evaluation.verdict, evaluation.kind) + "**";
  if (evaluation.tier == core::Tier::promotion) text += ", in the thorough second round of checks";
  text += evaluation.message.empty() ? ".\n" : ". " + one_line(evaluation.message, 800) + "\n";
  if (!evaluation.compile.ok) {
    if (const std::string errors = diagnostics_text(evaluation.compile); !errors.empty())
      text += "\n" + errors;
  }
  if (const std::string checks = checks_text(evaluation.checks, dim_order); !checks.empty())
    text += "\n" + checks;
  if (evaluation.timing) text += "\n" + timing_text(*evaluation.timing);
  if (evaluation.profile) text += "\n" + profile_text(*evaluation.profile, source);
  text += kernels_text(evaluation.compile);
  if (!evaluation.variant.empty()) {
    text += "\nJudged with";
    for (const auto& [name, value] : evaluation.variant) text += " " + name + "=" + std::to_string(value);
    text += ".\n";
  }
  if (!evaluation.not_covered.empty()) {
    text += "\nThe plan serves " + std::to_string(evaluation.shapes_covered) + " of " +
            std::to_string(evaluation.shapes_total) + " check shapes; not";
    for (std::size_t i = 0; i < std::min<std::size_t>(evaluation.not_covered.size(), 8); ++i)
      text += (i == 0 ? " " : "; ") + one_line(evaluation.not_covered[i], 120);
    text += ".\n";
  }
  if (!evaluation.kernel_output.empty())
    text += "\nThe kernel printed (its own words, not the judge's):\n\n" +
            quoted(cut(evaluation.kernel_output, kMostOutput)) + "\n";
  for (const std::string& flag : evaluation.flags) {
    if (flag == "implausible_time")
      text += "\nThe time is below what the hardware can do: work is being skipped somewhere.\n";
  }
  return text;
}

std::string tried_table(const std::vector<core::CandidateState>& tried) {
  std::vector<std::vector<std::string>> rows;
  const std::size_t first = tried.size() > kMostTried ? tried.size() - kMostTried : 0;
  for (std::size_t i = first; i < tried.size(); ++i) {
    const core::CandidateState& candidate = tried[i];
    const auto& shown = candidate.promotion ? candidate.promotion : candidate.screen;
    if (!shown) continue;
    std::string how = std::string(core::name_of(candidate.purpose));
    if (candidate.parent > 0) how += " of " + std::to_string(candidate.parent);
    if (!candidate.hint.empty() && candidate.purpose != core::Purpose::repair) how += ": " + candidate.hint;
    const auto& timed =
        candidate.promotion && candidate.promotion->time ? candidate.promotion : candidate.screen;
    const bool time = timed && timed->time;
    rows.push_back(
        {std::to_string(candidate.number), how, one_line(candidate.notes, 160),
         verdict_text(shown->verdict, shown->kind), time ? time_text(timed->time->median_us) : "",
         time && timed->percent_of_roofline > 0 ? number(timed->percent_of_roofline, 3) + "%" : "",
         time && !timed->library.empty() ? number(timed->speedup, 3) + "x " + timed->library : ""});
  }
  std::string text = table(
      {"no.", "asked for", "its idea", "verdict", "time", "of roofline", "against the best library"}, rows);
  if (first > 0) text = "(" + std::to_string(first) + " earlier ones are left out.)\n\n" + text;
  return text;
}

}  // namespace kgen::prompt
