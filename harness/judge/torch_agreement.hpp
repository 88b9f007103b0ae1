#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/judge/proof_case.hpp"
#include "harness/judge/python_oracle.hpp"

namespace kgen::judge {

/// Whether an op's torch baselines compute what its oracle does: a second opinion, by people who know neither
/// the specification nor its author. Inputs are widened to f32 where torch takes that, and results compared
/// by the op's own tolerance. torch runs on the GPU where it finds one.
class TorchAgreement {
 public:
  /// `op` must outlive it. `oracles` may be null: then every baseline is skipped. `limit`: of one call.
  TorchAgreement(const core::Op& op, PythonOracles* oracles, std::chrono::milliseconds limit);

  /// Runs each baseline on a case whose expected values are one.first, unless its outputs have no elements:
  /// nothing agrees there with anything. Errors: bad_input where an expression of the tolerance cannot be
  /// evaluated.
  Status meet(const ProofCase& one);
  /// Whether a baseline that can run was compared at fewer than `shapes` shapes.
  bool wants(std::size_t shapes) const;

  /// One finding a baseline, by its name: compared in how many cases and with which worst error, at how many
  /// shapes and at which last; where torch raises nothing is compared, and the detail says so.
  std::vector<core::Finding> findings() const;

 private:
  struct Baseline {
    std::string name;
    PythonFile file;
    const std::vector<std::string>* differs_in = nullptr;
    bool gone = false;  ///< nothing of it can run
    int compared = 0, failed = 0, refused = 0;
    double worst = 0;              ///< error over tolerance, of cases that are compared by tolerance
    std::set<std::string> shapes;  ///< where it was compared
    std::string last_shape;
    std::string where, problem;  ///< the first failure
    std::string refusal;         ///< the first
  };
  Status compare(Baseline& baseline, const ProofCase& one, const std::vector<ExpectedOutput>& given);

  PythonOracles* oracles_;
  std::chrono::milliseconds limit_;
  std::vector<Baseline> baselines_;
};

}  // namespace kgen::judge
