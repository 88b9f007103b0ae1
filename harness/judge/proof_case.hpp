#pragma once

#include <functional>

#include "harness/judge/oracle.hpp"
#include "harness/judge/proof_tally.hpp"

namespace kgen::judge {

/// One shape and distribution of a proof, with what the oracle made of it in two runs.
struct ProofCase {
  const core::Task& task;
  const std::vector<core::TensorFacts>& tensors;
  InputCase input;
  std::string where;  ///< names the case in findings
  std::vector<ExpectedOutput> first, second;
};

/// Every output element was written: none holds in both runs what was there before. `untouched`: what that
/// is, by output and run (0 or 1).
bool check_written(const ProofCase& one, const std::function<double(std::size_t output, int run)>& untouched,
                   ProofTally& tally);
/// Both runs gave the same bits, or where the op allows them to vary the same values but for fp64's rounding.
bool check_repeatable(const ProofCase& one, ProofTally& tally);
/// No NaN or infinity comes of finite inputs where the op would then compare nothing, and scales are at least
/// 0.
bool check_numbers(const ProofCase& one, ProofTally& tally);
/// The CPU reference gives the same values. Errors: those of the reference.
Result<bool> check_agreement(const ProofCase& one, ProofTally& tally);
/// The exact result passes the tolerance; wrong ones and the output are met (ProofTally). Errors: bad_input
/// where an expression of the tolerance cannot be evaluated.
Status check_tolerance(const ProofCase& one, ProofTally& tally);

}  // namespace kgen::judge
