#include "report/profile_facts.hpp"

#include "core/diagnosis.hpp"
#include "core/profile_findings.hpp"
#include "core/profile_page.hpp"
#include "core/sass_page.hpp"
#include "report/number_text.hpp"

namespace kgen::report {
namespace {

constexpr std::size_t kMostCauses = 5;

void add_kernel(const core::KernelProfile& kernel, bool simulated, Facts& facts) {
  if (simulated) {
    facts.emplace_back("", kernel.kernel + ": " + core::profile_summary(kernel));
    return;
  }
  for (const core::KernelFact& fact : core::kernel_page(kernel))
    facts.emplace_back("", kernel.kernel + ": " + fact.label + ": " + fact.text);
  if (const std::string code = core::sass_text(kernel.metrics); !code.empty())
    facts.emplace_back("", kernel.kernel + ": machine code: " + code);
}

void add_causes(const core::Profile& profile, Facts& facts) {
  std::string label = "diagnosis";
  std::size_t shown = 0;
  for (const core::Diagnosis& cause : core::diagnose(profile)) {
    if (++shown > kMostCauses) return;
    facts.emplace_back(label, cause.rule + " (" + significant(cause.weight, 2) + "): " +
                                  (profile.kernels.size() > 1 ? cause.kernel + ": " : "") + cause.what +
                                  (cause.lines.empty() ? "" : "; " + core::lines_text(cause.lines)));
    label.clear();
  }
}

}  // namespace

void add_profile(const core::Profile& profile, Facts& facts) {
  if (!profile.kernels.empty()) facts.emplace_back("counters", core::profile_origin(profile));
  for (const core::KernelProfile& kernel : profile.kernels) add_kernel(kernel, profile.simulated, facts);
  for (const core::ProfileFinding& finding : core::profile_findings(profile))
    facts.emplace_back("", "line " + std::to_string(finding.line) + ": " + finding.text + " (" +
                               significant(100 * finding.share, 2) + "% of the kernel's)");
  add_causes(profile, facts);
  std::string label = "not counted";
  for (const core::ProfileGap& gap : profile.gaps) {
    facts.emplace_back(label, gap.what + ": " + gap.why + (gap.advice.empty() ? "" : "; " + gap.advice));
    label.clear();
  }
}

}  // namespace kgen::report
