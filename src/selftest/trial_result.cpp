#include "selftest/trial_result.hpp"

#include <algorithm>
#include <array>

#include "util/json.hpp"

namespace kgen::selftest {
namespace {

using core::Verdict;

constexpr std::array<std::string_view, 13> kOutcomes = {
    "caught",  "neutralised", "passed",        "not served", "not checkable", "not visible", "not emulated",
    "skipped", "ACCEPTED",    "WRONG VERDICT", "REJECTED",   "LEAKED",        "FAILED"};

/// How much faster than its honest variant a kernel may seem to be: what two measurements differ by.
constexpr double kTimeTolerance = 1.05;

bool check_was_skipped(const core::Evaluation& evaluation, const std::string& name) {
  return std::any_of(evaluation.checks.begin(), evaluation.checks.end(), [&](const core::Check& check) {
    return check.name == name && check.state == core::Check::State::skipped;
  });
}

bool has_flag(const core::Evaluation& evaluation, std::string_view flag) {
  return std::find(evaluation.flags.begin(), evaluation.flags.end(), flag) != evaluation.flags.end();
}

bool contains(const std::vector<Verdict>& verdicts, Verdict verdict) {
  return std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end();
}

Outcome outcome_of_correct(const AdversarialCase& subject, const core::Evaluation& evaluation,
                           core::DeviceKind device) {
  if (subject.known_good) return Outcome::passed;
  if (subject.neutralised_ok)
    return time_is_dishonest(evaluation, nullptr) ? Outcome::accepted : Outcome::neutralised;
  if (!subject.needs.empty() && check_was_skipped(evaluation, subject.needs)) return Outcome::not_checkable;
  const bool hidden = device == core::DeviceKind::emulator && !subject.on_emulator.not_visible.empty();
  return hidden ? Outcome::not_visible : Outcome::accepted;
}

std::string failed_checks(const core::Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const auto& check : evaluation.checks) {
    if (check.state == core::Check::State::failed &&
        std::find(names.begin(), names.end(), check.name) == names.end())
      names.push_back(check.name);
  }
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ",") + name;
  return out;
}

/// Of a GPU, and those of the emulator behind it.
std::string expected_text(const AdversarialCase& subject) {
  std::string out;
  std::vector<Verdict> verdicts = subject.accept;
  verdicts.insert(verdicts.end(), subject.on_emulator.accept.begin(), subject.on_emulator.accept.end());
  for (const Verdict verdict : verdicts)
    out += (out.empty() ? "" : "|") + std::string(core::name_of(verdict));
  return out + (subject.neutralised_ok ? "|neutralised" : "");
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  return kOutcomes.at(static_cast<std::size_t>(outcome));
}

bool is_failure(Outcome outcome) {
  return outcome >= Outcome::accepted;
}

bool runs_on(const AdversarialCase& subject, core::DeviceKind kind) {
  if (subject.known_good) return kind != core::DeviceKind::none;
  if (subject.where == AdversarialCase::Where::any || kind == core::DeviceKind::emulator) return true;
  return subject.where == AdversarialCase::Where::gpu;
}

bool time_is_dishonest(const core::Evaluation& evaluation, const core::Evaluation* honest) {
  if (!evaluation.timing) return false;
  const core::Timing& timing = *evaluation.timing;
  if (timing.candidate.median_us < timing.plausible_floor_us && !has_flag(evaluation, "implausible_time"))
    return true;
  return honest != nullptr && honest->timing &&
         timing.candidate.high_us * kTimeTolerance < honest->timing->candidate.low_us;
}

Outcome outcome_of(const AdversarialCase& subject, const core::Evaluation& evaluation, std::string_view text,
                   core::DeviceKind device) {
  for (const auto& secret : subject.must_not_leak) {
    if (text.find(secret) != std::string_view::npos) return Outcome::leaked;
  }
  if (evaluation.verdict == Verdict::correct) return outcome_of_correct(subject, evaluation, device);
  if (subject.known_good)
    return evaluation.verdict == Verdict::not_covered ? Outcome::not_served : Outcome::rejected;
  if (contains(subject.accept, evaluation.verdict)) return Outcome::caught;
  const bool there = device == core::DeviceKind::emulator;
  if (!there || !contains(subject.on_emulator.accept, evaluation.verdict)) return Outcome::wrong_verdict;
  return evaluation.verdict == Verdict::not_emulated ? Outcome::not_emulated : Outcome::caught;
}

TrialResult result_of(const Trial& trial, const core::Evaluation& evaluation, Outcome outcome) {
  TrialResult out;
  out.kernel = trial.subject->name;
  out.dtype = core::name_of(trial.task.dtype);
  out.expected = expected_text(*trial.subject);
  out.verdict = core::name_of(evaluation.verdict);
  out.kind = evaluation.kind;
  out.caught_by = failed_checks(evaluation);
  out.detail = evaluation.message;
  out.outcome = outcome;
  return out;
}

bool all_well(const std::vector<TrialResult>& results) {
  return !results.empty() && std::none_of(results.begin(), results.end(), [](const TrialResult& result) {
    return is_failure(result.outcome);
  });
}

nlohmann::json to_json(const TrialResult& result) {
  return {{"kernel", result.kernel},
          {"dtype", result.dtype},
          {"expected", result.expected},
          {"verdict", result.verdict},
          {"kind", result.kind},
          {"caught_by", result.caught_by},
          {"detail", result.detail},
          {"outcome", name_of(result.outcome)},
          {"failure", is_failure(result.outcome)},
          {"ms", result.ms}};
}

}  // namespace kgen::selftest
