#pragma once

#include <string>
#include <string_view>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/session.hpp"

/// The evaluation's list of checks: what ran, what failed, what could not run and why.
namespace kgen::judge {

/// Adds a check that belongs to no shape.
void add_state_check(Session& session, core::Check::State state, const std::string& name,
                     const std::string& detail);
bool has_failed(const Session& session, std::string_view name);
bool any_failed(const Session& session);

/// The flag of an evaluation in which a check did not run for the plan's workspaces alone: a candidate may
/// have asked for them to be judged less.
inline constexpr const char* kWorkspaceFlag = "unchecked_for_workspace";
/// Asks a person to look; once each.
void add_flag(Session& session, const char* flag);
bool has_flag(const Session& session, std::string_view flag);

/// "rows=2,cols=300,k=282": the dims in the op's order, and those attributes that are not the task's.
std::string shape_text(const Session& session, const core::Dims& dims, const core::Attributes& attributes);
std::string shape_text(const Session& session, const core::Task& task);

ShapeCounts count_shapes(const Session& session);
/// Says what passed as a whole once every case ran.
void summarize_checks(Session& session);

}  // namespace kgen::judge
