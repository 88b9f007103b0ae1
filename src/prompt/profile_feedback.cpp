#include "prompt/profile_feedback.hpp"

#include "core/diagnosis.hpp"
#include "core/profile_findings.hpp"
#include "core/profile_page.hpp"
#include "core/sass_page.hpp"
#include "prompt/format.hpp"

namespace kgen::prompt {
namespace {

constexpr std::size_t kMostCauses = 4, kMostHotLines = 4, kMostSource = 160;

/// The candidate's own lines, quoted: they cannot pose as anything else.
std::string quoted_lines(const std::vector<int>& lines, const std::string& source) {
  std::string text;
  for (const int line : lines) {
    const std::string words = one_line(core::source_line(source, line), kMostSource);
    if (!words.empty()) text += std::to_string(line) + ": " + words + "\n";
  }
  return text.empty() ? "" : "\n" + prompt::quoted(text) + "\n";
}

std::string causes_text(const core::Profile& profile, const std::string& source) {
  std::string text;
  std::size_t shown = 0;
  for (const core::Diagnosis& cause : core::diagnose(profile)) {
    if (++shown > kMostCauses) break;
    text += "- " + cause.rule + " (`" + one_line(cause.kernel, 60) + "`, " + number(cause.weight, 2) +
            "): " + cause.what;
    if (!cause.lines.empty()) text += "; " + core::lines_text(cause.lines);
    text += ". What helps: " + cause.advice + ".\n" + quoted_lines(cause.lines, source);
  }
  if (text.empty()) return "";
  return "What stands between this kernel and a faster one, heaviest first (0 to 1: about the share of the "
         "time that "
         "it costs):\n\n" +
         text;
}

std::string hot_lines_text(const core::KernelProfile& kernel, const std::string& source) {
  std::string text;
  std::vector<int> lines;
  for (const core::HotLine& hot : core::hot_lines(kernel, kMostHotLines)) {
    text += "    - line " + std::to_string(hot.line) + ", " + number(100 * hot.share, 3) + "%:";
    for (const auto& [reason, share] : hot.reasons) text += " " + reason + " " + number(100 * share, 3) + "%";
    text += "\n";
    lines.push_back(hot.line);
  }
  return text.empty() ? "" : "  - where its warps are, by samples:\n" + text + quoted_lines(lines, source);
}

std::string kernel_text(const core::KernelProfile& kernel, const core::Profile& profile,
                        const std::string& source) {
  const std::string name = "- kernel `" + one_line(kernel.kernel, 60) + "`";
  if (profile.simulated) return name + ": " + core::profile_summary(kernel) + ".\n";
  std::string text = name + "\n";
  for (const core::KernelFact& fact : core::kernel_page(kernel))
    text += "  - " + fact.label + ": " + fact.text + "\n";
  if (const std::string remark = core::sass_remark(kernel.metrics, profile.task); !remark.empty())
    text += "  - machine code: " + remark + "\n";
  return text + hot_lines_text(kernel, source);
}

}  // namespace

std::string profile_text(const core::Profile& profile, const std::string& source) {
  std::string text;
  if (!profile.kernels.empty()) text = "Counters, " + core::profile_origin(profile) + ":\n\n";
  for (const core::KernelProfile& kernel : profile.kernels) text += kernel_text(kernel, profile, source);
  for (const core::ProfileFinding& finding : core::profile_findings(profile))
    text += "- line " + std::to_string(finding.line) + ": " + finding.text + " (" +
            number(100 * finding.share, 3) + "% of the kernel's).\n";
  if (const std::string causes = causes_text(profile, source); !causes.empty()) text += "\n" + causes;
  for (const core::ProfileGap& gap : profile.gaps)
    text += "\nNot measured: " + one_line(gap.what, 80) + ".\n";
  return text;
}

}  // namespace kgen::prompt
