#include "report/evaluation_facts.hpp"

#include <algorithm>

#include "core/task.hpp"
#include "report/number_text.hpp"
#include "report/profile_facts.hpp"
#include "util/terminal.hpp"
#include "util/text.hpp"

namespace kgen::report {
namespace {

using core::Check;
using core::Evaluation;
using State = Check::State;

void add(Facts& facts, std::string label, std::string text) {
  facts.emplace_back(std::move(label), std::move(text));
}

std::int64_t count_state(const std::vector<Check>& checks, State state) {
  return std::count_if(checks.begin(), checks.end(),
                       [&](const Check& check) { return check.state == state && is_of_candidate(check); });
}

std::string checks_summary(const Evaluation& evaluation) {
  const auto& checks = evaluation.checks;
  const auto failed = count_state(checks, State::failed), skipped = count_state(checks, State::skipped);
  const auto ran = count_state(checks, State::passed) + failed;
  std::string text =
      ran == 0 ? "none ran" : std::to_string(ran - failed) + " of " + std::to_string(ran) + " passed";
  if (skipped > 0) text += ", " + std::to_string(skipped) + " could not run";
  if (evaluation.shapes_total > 0)
    text += "; the plan serves " + std::to_string(evaluation.shapes_covered) + " of " +
            std::to_string(evaluation.shapes_total) + " shapes";
  return text;
}

/// What passed as a whole in a promotion: checks that belong to no shape, with what they looked at.
void add_whole_checks(const Evaluation& evaluation, Facts& facts) {
  constexpr std::size_t kMostDetail = 100;
  std::string label = "promotion";
  for (const Check& check : evaluation.checks) {
    if (!check.dims.empty() || check.state != State::passed) continue;
    std::string detail = util::printable(check.detail);
    if (detail.size() > kMostDetail) detail = detail.substr(0, kMostDetail) + "...";
    add(facts, label, check.name + " passed" + (detail.empty() ? "" : ": " + detail));
    label.clear();
  }
}

std::string roofline_text(const core::Timing& timing) {
  return significant(timing.percent_of_roofline) + "% of " +
         (timing.ceiling_measured ? "roofline (ceiling measured here"
                                  : "the datasheet's roofline (not measured here") +
         "; floor " + time_text(timing.floor_us) + ")";
}

std::string baseline_text(const core::BaselineTiming& baseline) {
  if (!baseline.time) return baseline.name + " not measured: " + baseline.why_missing;
  return speedup_text(baseline.speedup, baseline.speedup_low, baseline.speedup_high) + " over " +
         baseline.name + " (" + time_text(baseline.time->median_us) +
         (baseline.detail.empty() ? "" : ", " + baseline.detail) + ")";
}

void add_timing(const core::Timing& timing, Facts& facts) {
  add(facts, "time",
      interval_text(timing.candidate) + " (95%), " + std::to_string(timing.candidate.samples) +
          " samples, method " + timing.method);
  std::string label = "speed-up";
  for (const auto& baseline : timing.baselines) {
    add(facts, label, baseline_text(baseline));
    label.clear();
  }
  add(facts, "roofline", roofline_text(timing));
  std::string device;
  if (timing.sm_clock_mhz > 0) device = significant(timing.sm_clock_mhz, 4) + " MHz";
  if (timing.power_w > 0) device += ", " + significant(timing.power_w) + " W";
  if (timing.temperature_c > 0) device += ", " + significant(timing.temperature_c) + " C";
  if (!timing.throttle.empty()) device += ", throttled: " + timing.throttle;
  if (!device.empty()) add(facts, "clock", device);
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

}  // namespace

bool is_of_candidate(const Check& check) {
  return check.name != "sandbox_compile" && check.name != "sandbox_run";
}

std::string shape_of(const Check& check) {
  std::string text;
  for (const auto& [name, extent] : check.dims)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(extent);
  for (const auto& [name, value] : check.attributes)
    text += (text.empty() ? "" : ",") + name + "=" + core::attribute_text(value);
  return text.empty() ? "-" : text;
}

std::string mismatch_summary(const core::Mismatch& mismatch) {
  const std::string text =
      std::to_string(mismatch.wrong) + " of " + plural(mismatch.total, "element") + " wrong";
  return mismatch.pattern.empty() ? text : text + "; " + mismatch.pattern;
}

std::string element_name(const core::WrongElement& element) {
  std::string place;
  for (const std::int64_t i : element.index) place += (place.empty() ? "" : ", ") + std::to_string(i);
  return element.tensor + "[" + place + "]";
}

std::string device_title(const core::DeviceFacts& device) {
  if (device.kind == core::DeviceKind::none) return "no device (compiled for " + device.arch + ")";
  return device.name + " (" + device.arch + ")";
}

Facts facts_of(const Evaluation& evaluation) {
  Facts facts;
  if (evaluation.timing) add_timing(*evaluation.timing, facts);
  if (!evaluation.checks.empty()) add(facts, "checks", checks_summary(evaluation));
  if (evaluation.tier == core::Tier::promotion) add_whole_checks(evaluation, facts);
  if (evaluation.tier == core::Tier::screen && evaluation.verdict == core::Verdict::correct)
    add(facts, "tier", "a screen: a promotion (--tier promotion) tries more shapes, attributes and values");
  std::string label = "not covered";
  for (const std::string& shape : evaluation.not_covered) {
    add(facts, label, shape);
    label.clear();
  }
  if (!evaluation.flags.empty()) add(facts, "flags", util::join(evaluation.flags) + ": look twice");
  for (const auto& kernel : evaluation.compile.kernels) add(facts, "kernel", kernel_text(kernel));
  for (const auto& warning : evaluation.compile.performance_warnings) add(facts, "compiler", warning);
  if (evaluation.profile) add_profile(*evaluation.profile, facts);
  if (!evaluation.variant.empty()) {
    std::vector<std::string> tunables;
    for (const auto& [name, value] : evaluation.variant)
      tunables.push_back(name + "=" + std::to_string(value));
    add(facts, "variant", util::join(tunables));
  }
  if (!evaluation.stages.empty()) add(facts, "stages", stages_text(evaluation.stages));
  if (evaluation.verdict != core::Verdict::reply_invalid)  // nothing was drawn
    add(facts, "seed", std::to_string(evaluation.seed) + " (--seed repeats it)");
  return facts;
}

}  // namespace kgen::report
