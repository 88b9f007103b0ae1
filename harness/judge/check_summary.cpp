#include "harness/judge/check_summary.hpp"

#include <algorithm>

#include "util/text.hpp"

namespace kgen::judge {

using core::Check;

namespace {

/// "WHAT: one; another. "; nothing where there are none.
std::string listed(const std::string& what, const std::vector<std::string>& shapes) {
  return shapes.empty() ? "" : what + ": " + util::join(shapes, "; ") + ". ";
}

/// Which shapes of the judge's own there were; first what a plan claims and cannot do, since lines are cut.
void summarize_made_shapes(Session& session) {
  std::vector<std::string> ran, not_run;
  for (std::size_t i = 0; i < session.shapes.size(); ++i) {
    const ShapeCase& shape = session.shapes[i];
    if (shape.made.empty()) continue;
    std::string text = shape_text(session, shape.task);
    if (shape.num_sms > 0) text += ",num_sms=" + std::to_string(shape.num_sms);
    (session.bench.shapes_run.contains(i) ? ran : not_run).push_back(std::move(text));
  }
  if (has_failed(session, "made_shape")) return;
  const bool none_made = ran.empty() && not_run.empty() && session.made_not_served.empty();
  std::string detail = listed("not served inside `requires`", session.made_not_served);
  if (!ran.empty())
    detail += listed(std::to_string(ran.size()) + " shapes of the judge's own inside `requires`", ran);
  else
    detail += none_made ? "`requires` leaves no further shape to make. " : "none was run. ";
  detail += listed("Not run", not_run) + listed("Left out, being too dear", session.made_left_out);
  detail.resize(detail.size() - 2);
  const auto state = ran.empty() ? Check::State::skipped : Check::State::passed;
  add_state_check(session, state, "made_shapes", detail);
}

/// The module's globals that were compared, and those that could not be.
void summarize_globals(Session& session, const std::string& times) {
  if (has_failed(session, "hidden_state")) return;
  std::string unseen;
  for (const std::string& name : session.bench.unseen_globals) unseen += (unseen.empty() ? "" : ", ") + name;
  if (unseen.empty()) return add_state_check(session, Check::State::passed, "hidden_state", times);
  add_state_check(session, Check::State::skipped, "hidden_state", "not compared: device globals " + unseen);
}

}  // namespace

void add_state_check(Session& session, Check::State state, const std::string& name,
                     const std::string& detail) {
  Check check;
  check.name = name;
  check.state = state;
  check.detail = detail;
  session.evaluation.checks.push_back(std::move(check));
}

std::string shape_text(const Session& session, const core::Dims& dims, const core::Attributes& attributes) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    text += (text.empty() ? "" : ",") + name + "=" + value;
  };
  for (const auto& name : session.request.task.op->dim_names) {
    if (const auto found = dims.find(name); found != dims.end()) add(name, std::to_string(found->second));
  }
  for (const auto& [name, value] : attributes) {
    if (session.request.task.attributes.at(name) != value) add(name, core::attribute_text(value));
  }
  return text;
}

std::string shape_text(const Session& session, const core::Task& task) {
  return shape_text(session, task.dims, task.attributes);
}

bool has_failed(const Session& session, std::string_view name) {
  const auto& checks = session.evaluation.checks;
  return std::any_of(checks.begin(), checks.end(),
                     [&](const Check& c) { return c.name == name && c.state == Check::State::failed; });
}

bool any_failed(const Session& session) {
  const auto& checks = session.evaluation.checks;
  return std::any_of(checks.begin(), checks.end(),
                     [](const Check& c) { return c.state == Check::State::failed; });
}

bool has_flag(const Session& session, std::string_view flag) {
  const auto& flags = session.evaluation.flags;
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

void add_flag(Session& session, const char* flag) {
  if (!has_flag(session, flag)) session.evaluation.flags.emplace_back(flag);
}

ShapeCounts count_shapes(const Session& session) {
  const auto made = std::count_if(session.shapes.begin(), session.shapes.end(),
                                  [](const ShapeCase& shape) { return !shape.made.empty(); });
  ShapeCounts counts{session.shapes.size() - static_cast<std::size_t>(made), static_cast<std::size_t>(made)};
  for (std::size_t at = counts.listed; at < session.shapes.size(); ++at) {
    const ShapeCase& shape = session.shapes[at];
    if (shape.task.attributes != session.request.task.attributes) counts.other_attributes.insert(at);
    if (shape.distributions != 3) counts.distributions[at] = shape.distributions;
  }
  return counts;
}

void summarize_checks(Session& session) {
  const std::string times = std::to_string(session.bench.executions) + " executions";
  for (const char* name : {"guards", "inputs"}) {
    if (!has_failed(session, name)) add_state_check(session, Check::State::passed, name, times);
  }
  summarize_globals(session, times);
  const bool required = session.request.task.op->determinism == core::Determinism::required;
  if (!required) {
    add_state_check(session, Check::State::skipped, "deterministic", "the op allows bits to vary");
  } else if (!has_failed(session, "deterministic")) {
    add_state_check(session, Check::State::passed, "deterministic", times);
  }
  if (session.request.tier == core::Tier::screen) return;
  summarize_made_shapes(session);
}

}  // namespace kgen::judge
