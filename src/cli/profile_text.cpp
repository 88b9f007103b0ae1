#include "cli/profile_text.hpp"

#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "core/diagnosis.hpp"
#include "core/profile_findings.hpp"
#include "core/profile_page.hpp"
#include "core/sass_page.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

/// "  14 | x[i] = ..." a line.
std::string code_lines(const std::vector<int>& lines, const std::string& source, const std::string& indent) {
  std::string text;
  for (const int line : lines)
    text += indent + std::to_string(line) + " | " + util::printable(core::source_line(source, line)) + "\n";
  return text;
}

std::string causes_text(const core::Profile& profile, const std::string& source) {
  const auto causes = core::diagnose(profile);
  if (causes.empty()) return "diagnosis: no rule finds its evidence\n";
  std::string text = "diagnosis, heaviest first (0 to 1: about the share of the time that it costs)\n";
  for (const core::Diagnosis& cause : causes) {
    text += "  " + significant(cause.weight, 2) + "  " + cause.rule + ", " + util::printable(cause.kernel) +
            ": " + cause.what + "\n" + code_lines(cause.lines, source, "        ") + "        -> " +
            cause.advice + "\n";
  }
  return text;
}

std::string kernel_text(const core::KernelProfile& kernel, bool simulated) {
  LabelledLines lines;
  if (simulated) lines.add("work", core::profile_summary(kernel));
  for (const core::KernelFact& fact : core::kernel_page(kernel)) lines.add(fact.label, fact.text);
  if (const std::string code = core::sass_text(kernel.metrics); !code.empty())
    lines.add("machine code", code);
  return "\nkernel " + util::printable(kernel.kernel) + "\n" + lines.text();
}

std::string hot_lines_text(const core::KernelProfile& kernel, const std::string& source) {
  TextTable table(
      {{"line", TextTable::Align::right}, {"samples", TextTable::Align::right}, {"waits for"}, {"source"}});
  for (const core::HotLine& hot : core::hot_lines(kernel, 10)) {
    std::string reasons;
    for (const auto& [reason, share] : hot.reasons)
      reasons += (reasons.empty() ? "" : ", ") + reason + " " + significant(100 * share, 2) + "%";
    table.add({std::to_string(hot.line), significant(100 * hot.share, 2) + "%", reasons,
               util::printable(core::source_line(source, hot.line))});
  }
  return table.empty() ? "" : "\n" + table.text(2);
}

std::string metrics_text(const core::KernelProfile& kernel) {
  LabelledLines lines;
  for (const auto& [name, value] : kernel.metrics) lines.add(name, significant(value, 6));
  return "\n" + lines.text();
}

}  // namespace

std::string profile_page_text(const core::Profile& profile, const std::string& source, bool all) {
  std::string text;
  if (!profile.kernels.empty()) text += core::profile_origin(profile) + "\n\n" + causes_text(profile, source);
  for (const core::KernelProfile& kernel : profile.kernels) {
    text += kernel_text(kernel, profile.simulated) + hot_lines_text(kernel, source);
    if (all) text += metrics_text(kernel);
  }
  for (const core::ProfileFinding& finding : core::profile_findings(profile)) {
    text += "\nline " + std::to_string(finding.line) + ": " + finding.text + " (" +
            significant(100 * finding.share, 2) + "% of the kernel's)\n" +
            code_lines({finding.line}, source, "  ");
  }
  for (const core::ProfileGap& gap : profile.gaps) {
    text += "\nnot counted: " + gap.what + ": " + util::printable(gap.why) + "\n";
    if (!gap.advice.empty()) text += "  -> " + gap.advice + "\n";
  }
  return text;
}

}  // namespace kgen::cli
