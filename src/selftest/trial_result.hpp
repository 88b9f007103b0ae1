#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/device_facts.hpp"
#include "core/evaluation.hpp"
#include "selftest/suite.hpp"

namespace kgen::selftest {

/// What became of one trial.
enum class Outcome {
  caught,         ///< rejected with a right verdict
  neutralised,    ///< correct, the trick had no effect, and the time is honest
  passed,         ///< a known-good kernel is correct
  not_served,     ///< a known-good kernel does not claim this dtype or shape
  not_checkable,  ///< the only check that can see it could not run here
  not_visible,    ///< correct on the emulator, which cannot show the trick: its header says why
  not_emulated,   ///< needs what the emulator lacks, as its header says
  skipped,        ///< shows itself on another kind of device only
  accepted,       ///< a kernel that is wrong, or faster than it can be, was taken as correct
  wrong_verdict,  ///< rejected, for a reason that is not the right one
  rejected,       ///< a known-good kernel did not pass
  leaked,         ///< text that must stay on the machine is in the evaluation
  failed,         ///< the judge gave no evaluation
};
std::string_view name_of(Outcome outcome);
/// Whether the suite fails for it.
bool is_failure(Outcome outcome);

struct TrialResult {
  std::string kernel, dtype;
  std::string expected;  ///< the right verdicts, "hidden_state|wrong_result"
  std::string verdict, kind;
  std::string caught_by;  ///< the checks that failed, separated by commas
  std::string detail;     ///< the judge's own sentence
  Outcome outcome = Outcome::failed;
  double ms = 0;
};

/// What an evaluation of the case means. `text` is the evaluation as it travels (JSON), searched for what
/// must not leak.
Outcome outcome_of(const AdversarialCase& subject, const core::Evaluation& evaluation, std::string_view text,
                   core::DeviceKind device = core::DeviceKind::cuda);

/// Whether the kernel was reported faster than its honest variant, or than the device can be without a flag:
/// `honest` may be null.
bool time_is_dishonest(const core::Evaluation& evaluation, const core::Evaluation* honest);

/// Whether the case shows itself on such a device.
bool runs_on(const AdversarialCase& subject, core::DeviceKind kind);

/// The result with everything filled in but the time. `outcome` decides.
TrialResult result_of(const Trial& trial, const core::Evaluation& evaluation, Outcome outcome);

/// Whether nothing failed, of at least one trial.
bool all_well(const std::vector<TrialResult>& results);

nlohmann::json to_json(const TrialResult& result);

}  // namespace kgen::selftest
