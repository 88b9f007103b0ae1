#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "util/expr.hpp"

namespace kgen::core {

/// What is wrong with a plan: which field, its value and what was expected, well enough to fix it in one
/// turn.
struct PlanProblem {
  std::string field;     ///< "launches[1].args[2]"
  std::string value;     ///< as written
  std::string expected;  ///< "one of: x, y, rows, cols"
  std::string text() const;
};
template <class T>
using PlanResult = tl::expected<T, PlanProblem>;

/// One kernel argument: a name or an expression; `type` is "f32", "i64", ... where {"f32": EXPR} spells it
/// out.
struct Argument {
  std::string text;
  std::string type;
};

struct KernelLaunch {
  std::string kernel;  ///< as C++ names it: "gemm<true>"
  std::optional<util::Expr> when;
  std::vector<util::Expr> grid, block;  ///< one to three each
  std::optional<util::Expr> dynamic_shared_bytes;
  std::vector<Argument> args;
  std::vector<util::Expr> cluster;  ///< empty: none
  bool cooperative = false;
  bool pdl = false;
};

/// Fills a tensor (by element) or a workspace (by 32-bit words) inside the timed span.
struct FillStep {
  std::string target;
  util::Expr value;
  std::optional<util::Expr> when;
};

using Step = std::variant<KernelLaunch, FillStep>;

struct WorkspaceSpec {
  std::string name;
  util::Expr bytes;
};

/// A tensor map in cuTensorMapEncodeTiled's own names; dims innermost first, strides in bytes (rank - 1 of
/// them).
struct TensorMapSpec {
  std::string name;
  std::string tensor;                ///< a tensor or a workspace
  std::optional<util::Expr> offset;  ///< bytes into a workspace
  std::string dtype;                 ///< empty: the tensor's own
  std::vector<util::Expr> global_dim, global_strides, box_dim, element_strides;
  std::string swizzle = "none", l2_promotion = "none", interleave = "none", oob_fill = "zeros";
};

struct CompileOptions {
  bool fast_math = false;
  std::optional<int> max_registers;
  std::string std = "c++17";
};

/// The declarative launch plan of a candidate file. Every member as ../docs/candidate-format.md defines it.
struct LaunchPlan {
  std::vector<util::Expr> requirements;  ///< "requires"
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> tunables;
  std::map<std::string, std::int64_t> defaults;
  std::vector<util::Expr> constraints;
  std::vector<std::pair<std::string, util::Expr>> let, defines;  ///< in the order of the file
  std::vector<WorkspaceSpec> workspace;
  std::vector<TensorMapSpec> tensor_maps;
  std::vector<Step> launches;
  std::vector<util::ExprCondition>
      conditions;  ///< in `let` and what is computed for a task (Expr::conditions), once each
  CompileOptions compile;
  std::string notes;
};

/// The plan in the first comment `/*kgen ... */` of `source`. Checked against the JSON Schema
/// (docs/plan.schema.json).
PlanResult<LaunchPlan> parse_plan(std::string_view source);

/// The JSON Schema itself, as embedded.
std::string_view plan_schema();

}  // namespace kgen::core
