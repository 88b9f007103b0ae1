#include "harness/judge/session.hpp"

#include <algorithm>

namespace kgen::judge {

bool Session::stop(core::Verdict verdict, std::string kind, std::string message) {
  evaluation.verdict = verdict;
  evaluation.kind = std::move(kind);
  evaluation.message = std::move(message);
  return false;
}

bool Session::stop(const core::PlanProblem& problem) {
  return stop(core::Verdict::plan_invalid, "", problem.text());
}

void Session::add_time(const std::string& stage, double ms) {
  auto& stages = evaluation.stages;
  const auto found =
      std::find_if(stages.begin(), stages.end(), [&](const auto& s) { return s.name == stage; });
  if (found != stages.end()) {
    found->ms += ms;
  } else {
    stages.push_back({stage, ms});
  }
}

core::Variant Session::wanted_variant() const {
  core::Variant out = plan.defaults;
  for (const auto& [name, value] : request.variant) out[name] = value;
  return out;
}

run::Milliseconds Session::launch_limit(std::size_t executions) const {
  return run::Milliseconds{
      static_cast<std::int64_t>(request.kernel_timeout_s * 1000 * static_cast<double>(executions))};
}

}  // namespace kgen::judge
