#include "harness/judge/torch_agreement.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/judge/device_source.hpp"
#include "harness/judge/output_mutants.hpp"
#include "harness/judge/rules.hpp"
#include "util/json.hpp"
#include "util/text.hpp"

namespace kgen::judge {

using core::Finding;

namespace {

std::string two_digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

/// A result of another shape or number is torch's opinion too; that torch raises is none.
bool is_of_another_form(const Error& error) {
  return error.message.find("forward returned") != std::string::npos;
}

}  // namespace

TorchAgreement::TorchAgreement(const core::Op& op, PythonOracles* oracles, std::chrono::milliseconds limit)
    : oracles_(oracles), limit_(limit) {
  for (const core::Baseline& of : op.baselines) {
    if (of.kind != "torch") continue;
    Baseline& baseline = baselines_.emplace_back();
    baseline.name = of.name;
    baseline.differs_in = &of.differs_in;
    baseline.gone = has_python_oracle(op);
    // What JSON writes for a string, Python reads.
    baseline.file = {op.hash + ", " + of.name, of.name,
                     "CODE = " + nlohmann::json(of.code).dump() + "\nNAME = " +
                         nlohmann::json(of.name).dump() + "\n" + std::string(torch_agreement_source())};
    if (baseline.gone) baseline.refusal = "the oracle is Python itself";
  }
}

Status TorchAgreement::compare(Baseline& baseline, const ProofCase& one,
                               const std::vector<ExpectedOutput>& given) {
  ++baseline.compared;
  baseline.last_shape = core::describe_dims(one.task);
  baseline.shapes.insert(core::describe(one.task));
  for (std::size_t k = 0; k < given.size(); ++k) {
    const ExpectedOutput& right = one.first[k];
    const auto& free = *baseline.differs_in;
    if (std::find(free.begin(), free.end(), right.name) != free.end()) continue;
    const auto facts = std::find_if(one.tensors.begin(), one.tensors.end(),
                                    [&](const core::TensorFacts& t) { return t.name == right.name; });
    KGEN_TRY(const ToleranceParams params, tolerance_params(one.task, *facts, *one.input.distribution));
    const auto bytes = perfect_output({given[k].values, right.scale, params, {}});
    const auto count = compare_on_host(bytes.data(), right.values, right.scale, params);
    if (!one.input.distribution->compare_equal) baseline.worst = std::max(baseline.worst, count.worst_ratio);
    if (count.wrong == 0) continue;
    ++baseline.failed;
    if (!baseline.problem.empty()) continue;
    const auto at = static_cast<std::size_t>(count.first_wrong);
    baseline.where = one.where;
    baseline.problem = right.name + "[" + std::to_string(at) + "] is " + two_digits(given[k].values[at]) +
                       ", of the oracle " + two_digits(right.values[at]) + " (" +
                       std::to_string(count.wrong) + " of " + std::to_string(right.values.size()) +
                       " elements differ)";
  }
  return {};
}

Status TorchAgreement::meet(const ProofCase& one) {
  if (std::all_of(one.first.begin(), one.first.end(),
                  [](const auto& output) { return output.values.empty(); }))
    return {};
  for (Baseline& baseline : baselines_) {
    if (baseline.gone) continue;
    auto oracle = python_oracle_of(oracles_, baseline.file);
    auto given = oracle ? (*oracle)->expect(one.task, one.tensors, one.input, kNanPoison, limit_)
                        : tl::unexpected(oracle.error());
    if (given) {
      KGEN_CHECK(compare(baseline, one, *given));
    } else if (is_of_another_form(given.error())) {
      ++baseline.compared;
      ++baseline.failed;
      if (baseline.problem.empty()) baseline.problem = given.error().message;
    } else {
      ++baseline.refused;
      baseline.gone = given.error().kind == ErrorKind::missing;
      if (baseline.refusal.empty()) baseline.refusal = given.error().message;
    }
  }
  return {};
}

bool TorchAgreement::wants(std::size_t shapes) const {
  return std::any_of(baselines_.begin(), baselines_.end(), [shapes](const Baseline& baseline) {
    return !baseline.gone && baseline.failed == 0 && baseline.shapes.size() < shapes;
  });
}

std::vector<Finding> TorchAgreement::findings() const {
  std::vector<Finding> findings;
  for (const Baseline& baseline : baselines_) {
    Finding& finding = findings.emplace_back(Finding{baseline.name, Finding::State::passed, "", ""});
    const std::string refused =
        baseline.refused == 0
            ? ""
            : "; torch does not do " + std::to_string(baseline.refused) + " more: " + baseline.refusal;
    if (baseline.compared == 0) {
      finding.state = Finding::State::skipped;
      finding.detail = baseline.refusal.empty() ? "no case was met" : baseline.refusal;
    } else if (baseline.failed > 0) {
      finding.state = Finding::State::failed;
      finding.where = baseline.where;
      finding.detail =
          baseline.problem +
          (baseline.failed > 1 ? " (and in " + std::to_string(baseline.failed - 1) + " more)" : "");
    } else {
      finding.detail = std::to_string(baseline.compared) + " cases at " +
                       std::to_string(baseline.shapes.size()) + " shapes, the last " + baseline.last_shape +
                       ", worst error " + two_digits(baseline.worst) + " of the tolerance" + refused;
      if (!baseline.differs_in->empty())
        finding.detail += "; not compared: " + util::join(*baseline.differs_in);
    }
  }
  return findings;
}

}  // namespace kgen::judge
