#include "harness/judge/check_sandbox.hpp"

#include "harness/judge/check_summary.hpp"
#include "harness/judge/execution_device.hpp"

namespace kgen::judge {
namespace {

void record_layers(Session& session, const std::string& name,
                   const std::map<std::string, std::string>& layers) {
  if (layers.empty()) return;
  const LayerSummary summary = summarize_layers(layers);
  if (summary.missing.empty())
    return add_state_check(session, core::Check::State::passed, name, "in force: " + summary.in_force);
  const std::string rest = summary.in_force.empty() ? "" : "; in force: " + summary.in_force;
  add_state_check(session, core::Check::State::skipped, name, "not in force: " + summary.missing + rest);
}

}  // namespace

LayerSummary summarize_layers(const std::map<std::string, std::string>& layers) {
  LayerSummary summary;
  for (const auto& [layer, state] : layers) {
    std::string& list = state == "ok" ? summary.in_force : summary.missing;
    if (!list.empty()) list += ", ";
    list += state == "ok" ? layer : layer + " (" + state + ")";
  }
  return summary;
}

void record_sandbox(Session& session) {
  record_layers(session, "sandbox_compile", session.workplace.compile_sandbox);
  if (session.workplace.device != nullptr)
    record_layers(session, "sandbox_run", session.workplace.device->run_sandbox());
}

}  // namespace kgen::judge
