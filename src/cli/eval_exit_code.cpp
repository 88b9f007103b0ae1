#include "cli/eval_exit_code.hpp"

namespace kgen::cli {

core::ExitCode eval_exit_code(const core::Evaluation& evaluation, core::DeviceKind device,
                              const std::optional<core::Target>& target) {
  const bool compiled = device == core::DeviceKind::none && evaluation.verdict == core::Verdict::not_run &&
                        evaluation.compile.ok;
  const bool good = compiled || evaluation.verdict == core::Verdict::correct;
  const bool met = !target || core::meets(*target, core::summarize(evaluation));
  return good && met ? core::ExitCode::ok : core::ExitCode::not_met;
}

}  // namespace kgen::cli
