#include "cli/prove_op.hpp"

#include <algorithm>
#include <set>

#include "cli/number_text.hpp"
#include "cli/op_text.hpp"
#include "cli/value_gaps.hpp"
#include "util/text.hpp"

namespace kgen::cli {
namespace {

using core::Finding;
using State = core::Finding::State;
using reference_ops::OpKernel;

bool any_failed(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.state == State::failed; });
}

/// The op's task in a dtype, at a shape that the device can run.
Result<core::Task> proof_task(const CatalogueEntry& entry, const std::string& dtype,
                              const core::DeviceFacts& device) {
  const bool emulated = device.kind == core::DeviceKind::emulator;
  return core::make_task(entry.op, dtype, emulated ? entry.op->emulator_dims : core::Dims{}, {});
}

std::vector<std::string> dtypes_of(const core::Op& op, const std::string& asked) {
  if (!asked.empty()) return {asked};
  std::vector<std::string> names{std::string(core::name_of(op.default_dtype))};
  for (const core::DType dtype : op.dtypes) {
    if (dtype != op.default_dtype) names.emplace_back(core::name_of(dtype));
  }
  return names;
}

Finding read_finding(const core::Op& op) {
  return {"read", State::passed, "",
          distributions_text(op) + ", " +
              plural(static_cast<std::int64_t>(op.check_shapes.size()), "check shape")};
}

/// The evaluation of a kernel of the op's own in a dtype.
Result<core::Evaluation> evaluate_kernel(const CatalogueEntry& entry, const OpKernel& kernel,
                                         const std::string& dtype, const ProofOptions& options,
                                         RunningWorker& worker, const judge::EvaluationCallbacks& callbacks) {
  core::EvaluateRequest request;
  KGEN_TRY(request.task, proof_task(entry, dtype, worker.hello.device));
  request.source = kernel.source;
  request.tier = core::Tier::promotion;
  request.seed = options.seed;
  request.kernel_timeout_s = options.oracle_timeout_s;
  request.timing = false;
  request.profile = false;
  return worker.pool->evaluate(request, callbacks);
}

/// The checks that failed.
std::set<std::string> failed_checks(const core::Evaluation& evaluation) {
  std::set<std::string> names;
  for (const core::Check& check : evaluation.checks)
    if (check.state == core::Check::State::failed) names.insert(check.name);
  return names;
}

/// Whether a verdict says that the kernel ran and was found wrong: what never ran shows nothing.
bool was_judged(core::Verdict verdict) {
  using V = core::Verdict;
  constexpr V kNotJudged[] = {V::reply_invalid, V::plan_invalid,     V::policy_violation,
                              V::compile_error, V::unsupported_arch, V::launch_error,
                              V::not_covered,   V::not_run,          V::not_emulated};
  return std::find(std::begin(kNotJudged), std::end(kNotJudged), verdict) == std::end(kNotJudged);
}

/// What is wrong with a mutant or a good kernel, judged; empty: nothing.
std::string kernel_problem(const OpKernel& kernel, const core::Evaluation& evaluation) {
  const std::string verdict(core::name_of(evaluation.verdict));
  const bool correct = evaluation.verdict == core::Verdict::correct;
  if (!kernel.is_mutant) return correct ? "" : "is rejected: " + verdict + ", " + evaluation.message;
  if (correct) return "is accepted: no shape and distribution shows what it does wrong";
  if (!was_judged(evaluation.verdict))
    return "shows nothing, it never ran: " + verdict + ", " + evaluation.message;
  // What the emulator sees while a kernel runs is seen before any check.
  const bool while_running = evaluation.verdict != core::Verdict::wrong_result;
  const std::set<std::string> failed = failed_checks(evaluation);
  if (kernel.rejected_by.empty() || while_running || failed.contains(kernel.rejected_by)) return "";
  return "is rejected (" + verdict + ") by " + util::join({failed.begin(), failed.end()}, ", ") +
         ", but its notes say \"Rejected by: " + kernel.rejected_by + ".\"";
}

/// What is wrong with a kernel of the op's own: in every dtype that it serves, or for a built-in op (whose
/// kernels the tests judge in every dtype) in the first. Empty: nothing.
Result<std::string> kernel_problems(const CatalogueEntry& entry, const OpKernel& kernel,
                                    const ProofOptions& options, RunningWorker& worker,
                                    const judge::EvaluationCallbacks& callbacks) {
  std::vector<std::string> problems;
  std::string not_served;
  bool is_served = false;
  for (const std::string& dtype : dtypes_of(*entry.op, options.dtype)) {
    if (is_served && entry.source == kBuiltIn) break;
    KGEN_TRY(const auto evaluation, evaluate_kernel(entry, kernel, dtype, options, worker, callbacks));
    const std::string problem = kernel_problem(kernel, evaluation);
    const bool is_covered = evaluation.verdict != core::Verdict::not_covered;
    is_served = is_served || is_covered;
    if (!is_covered) {
      not_served = problem;
    } else if (!problem.empty()) {
      problems.push_back(dtype + ": " + problem);
    }
  }
  return is_served ? util::join(problems, "; ") : not_served;
}

/// Judges the op's own mutants, or its good kernels.
Result<std::vector<Finding>> judge_kernels(const CatalogueEntry& entry, const std::vector<OpKernel>& kernels,
                                           bool mutants, const ProofOptions& options, RunningWorker& worker,
                                           const judge::EvaluationCallbacks& callbacks) {
  std::vector<Finding> findings;
  const std::string name = mutants ? "mutants" : "kernels";
  std::int64_t judged = 0;
  for (const OpKernel& kernel : kernels) {
    if (kernel.is_mutant != mutants) continue;
    ++judged;
    KGEN_TRY(const std::string problem, kernel_problems(entry, kernel, options, worker, callbacks));
    if (!problem.empty()) findings.push_back({name, State::failed, kernel.file, problem});
  }
  if (judged == 0) {
    findings.push_back({name, State::missing, "",
                        mutants
                            ? "none in mutants/: only wrong outputs of every op's kind were tried"
                            : "none in kernels/: nothing shows that the tolerance lets a right kernel pass"});
  } else if (findings.empty()) {
    findings.push_back(
        {name, State::passed, "", std::to_string(judged) + (mutants ? " rejected" : " correct")});
  }
  return findings;
}

/// What would make the evidence stronger.
void add_missing(const core::Op& op, std::vector<Finding>& findings) {
  const auto missing = [&](const char* name, const char* detail) {
    findings.push_back({name, State::missing, "", detail});
  };
  const bool library = std::any_of(op.baselines.begin(), op.baselines.end(),
                                   [](const core::Baseline& b) { return b.kind != "naive"; });
  if (!library)
    missing("baselines",
            "no library to compare with (torch, torch_compile, cublaslt): results are measured against "
            "the roofline alone");
  const bool equal = std::any_of(op.distributions.begin(), op.distributions.end(),
                                 [](const core::Distribution& d) { return d.compare_equal; });
  const bool sums = std::any_of(op.tolerances.begin(), op.tolerances.end(),
                                [](const auto& of) { return of.second.length.text() != "1"; });
  if (sums && !equal)
    missing("equal values",
            "no distribution with compare = \"equal\": a term left out of a long sum may "
            "stay within the tolerance");
  if (std::none_of(op.check_shapes.begin(), op.check_shapes.end(),
                   [](const core::CheckShape& s) { return s.screen; }))
    missing("screen", "no check shape with screen = true: a screen tries the task's own shape alone");
  const bool has_floats =
      std::ranges::any_of(op.tensors, [&](const core::Tensor& tensor) { return takes_floats(op, tensor); });
  if (op.special_values == core::SpecialValues::propagate && has_floats && !op.meets_special_values())
    missing("special values",
            "special_values = \"propagate\", and no distribution has a NaN or an infinity: give one of kind "
            "\"non_finite\"");
  for (Finding& finding : value_gaps(op)) findings.push_back(std::move(finding));
  for (Finding& finding : unvaried_attributes(op)) findings.push_back(std::move(finding));
}

/// Where a few of the smallest shapes alone were tried, outputs may be alike there and nowhere else.
void excuse_small_shapes(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.name == "constant output") finding.state = State::missing;
  }
}

/// What a request to the worker gives, an error of which names the user's files.
template <typename Reply>
Result<Reply> about(const CatalogueEntry& entry, Result<Reply> reply) {
  return std::move(reply).map_error([&](Error error) {
    error.message = with_own_files(entry, std::move(error.message));
    return error;
  });
}

/// Findings of the worker by dtype; it ends with the first dtype in which the oracle itself fails.
Result<std::vector<Finding>> prove_dtypes(const CatalogueEntry& entry, const ProofOptions& options,
                                          RunningWorker& worker,
                                          const judge::EvaluationCallbacks& callbacks) {
  std::vector<std::pair<std::string, std::vector<Finding>>> by_dtype;
  for (const std::string& dtype : dtypes_of(*entry.op, options.dtype)) {
    core::ProofRequest request;
    KGEN_TRY(request.task, proof_task(entry, dtype, worker.hello.device));
    request.seed = options.seed;
    request.oracle_timeout_s = options.oracle_timeout_s;
    request.quick = options.quick;
    request.torch = options.torch;
    KGEN_TRY(auto reply, about(entry, worker.pool->prove(request, callbacks)));
    for (Finding& finding : reply.findings) finding.detail = with_own_files(entry, finding.detail);
    if (options.quick) excuse_small_shapes(reply.findings);
    by_dtype.emplace_back(dtype, std::move(reply.findings));
    if (any_failed(by_dtype.back().second)) break;
  }
  return merge_findings(by_dtype);
}

}  // namespace

bool OpProof::proven() const {
  return !any_failed(findings);
}

std::vector<Finding> unvaried_attributes(const core::Op& op) {
  std::vector<Finding> findings;
  for (const core::Attribute& attribute : op.attributes) {
    if (op.is_varied(attribute)) continue;
    findings.push_back({"attribute " + attribute.name, State::missing, "",
                        "never other than " + core::attribute_text(attribute.default_value) +
                            ": give low and high, or a check shape with another value"});
  }
  return findings;
}

std::vector<Finding> merge_findings(
    const std::vector<std::pair<std::string, std::vector<Finding>>>& by_dtype) {
  std::vector<Finding> merged;
  std::vector<std::vector<std::string>> dtypes;  // of each merged finding
  for (const auto& [dtype, findings] : by_dtype) {
    for (const Finding& finding : findings) {
      const auto same = std::find_if(merged.begin(), merged.end(), [&](const Finding& m) {
        return m.name == finding.name && m.state == finding.state && m.detail == finding.detail;
      });
      if (same == merged.end()) {
        merged.push_back(finding);
        dtypes.push_back({dtype});
      } else {
        dtypes[static_cast<std::size_t>(same - merged.begin())].push_back(dtype);
      }
    }
  }
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].state == State::passed) merged[i].detail = util::join(dtypes[i]) + ": " + merged[i].detail;
  }
  return merged;
}

Result<OpProof> prove_op(const CatalogueEntry& entry, const ProofOptions& options, RunningWorker& worker,
                         const judge::EvaluationCallbacks& callbacks) {
  OpProof proof{entry, {read_finding(*entry.op), core::check_costs(entry.op)}};
  KGEN_TRY(const auto proven, prove_dtypes(entry, options, worker, callbacks));
  proof.findings.insert(proof.findings.end(), proven.begin(), proven.end());
  if (!options.quick && !any_failed(proven)) {
    KGEN_TRY(const auto kernels, kernels_of(entry));
    for (const bool mutants : {true, false}) {
      KGEN_TRY(const auto judged, judge_kernels(entry, kernels, mutants, options, worker, callbacks));
      proof.findings.insert(proof.findings.end(), judged.begin(), judged.end());
    }
  }
  add_missing(*entry.op, proof.findings);
  return proof;
}

}  // namespace kgen::cli
