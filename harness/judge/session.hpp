#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/launch_plan.hpp"
#include "core/protocol.hpp"
#include "core/resolved_plan.hpp"
#include "harness/judge/bench.hpp"
#include "harness/judge/code_for_device.hpp"
#include "harness/judge/workplace.hpp"
#include "harness/run/launch_sequence.hpp"

namespace kgen::judge {

/// One distinct compile: the same macros, element types and kernels are compiled once.
struct Program {
  compile::CompileRequest request;
  compile::CompileResult result;

  /// What the device loads: the PTX where it was asked for (on the emulator), else the cubin.
  const std::string& code() const { return loadable(request, result); }
};

/// The candidate at one shape.
struct ShapeCase {
  core::Task task;
  bool task_shape = false;   ///< the task's own
  bool screen = false;       ///< checked in the screen tier
  std::string made;          ///< why the judge made it; empty for the task's own and the op's check shapes
  int distributions = 3;     ///< of a made one: how many it meets
  bool may_be_slow = false;  ///< of a made one: a kernel that takes too long there is not wrong
  bool is_aside = false;     ///< of a made one: MadeShape::is_aside
  bool large = false;        ///< the one with more than 2^31 elements
  int num_sms = 0;           ///< that the plan was told of, where they are not the device's own
  std::vector<core::TensorFacts> tensors;
  core::ResolvedPlan resolved;
  std::size_t program = 0;  ///< index in Session::programs
  run::LaunchSequence sequence;
};

/// One evaluation on its way through the stages. Each stage reads what those before it left here.
struct Session {
  const Workplace& workplace;
  const core::EvaluateRequest& request;
  const StageEvent& on_stage;
  core::Evaluation evaluation;
  core::LaunchPlan plan;
  std::vector<ShapeCase> shapes;  ///< covered ones, the task's own first
  std::vector<Program> programs;
  Bench bench;                                 ///< from the stage `load` on
  std::vector<std::string> made_left_out{};    ///< shapes of the judge's own that are too dear
  std::vector<std::string> made_not_served{};  ///< those at which the plan cannot be launched, and why

  /// Ends the evaluation with a verdict: stages return this.
  bool stop(core::Verdict verdict, std::string kind, std::string message);
  bool stop(const core::PlanProblem& problem);
  /// Adds to a stage's time (several parts of a stage may report under one name).
  void add_time(const std::string& stage, double ms);
  bool is_emulated() const { return workplace.facts.kind == core::DeviceKind::emulator; }
  /// The plan's defaults with what the request asks for.
  core::Variant wanted_variant() const;
  /// How long so many executions of the plan in a row may take.
  run::Milliseconds launch_limit(std::size_t executions = 1) const;
  const ShapeCase& task_case() const { return shapes.front(); }
};

/// A stage: true to go on, false where the verdict is found, an Error where the world failed.
using Stage = Result<bool> (*)(Session&);

Result<bool> read_plan(Session& session);         // prepare.cpp
Result<bool> choose_shapes(Session& session);     // prepare.cpp
Result<bool> compile_programs(Session& session);  // compile_stage.cpp
Result<bool> check_policy(Session& session);      // compile_stage.cpp
/// Compile, policy and arguments for a shape that a later stage added.
Result<bool> compile_late_shape(Session& session, std::size_t shape);  // compile_stage.cpp
Result<bool> bind_launches(Session& session);                          // compile_stage.cpp

}  // namespace kgen::judge
