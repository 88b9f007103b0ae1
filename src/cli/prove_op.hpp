#pragma once

#include "cli/op_catalogue.hpp"
#include "cli/worker_setup.hpp"
#include "core/proof.hpp"
#include "judge/evaluator.hpp"

namespace kgen::cli {

struct ProofOptions {
  std::string dtype;  ///< empty: all of the op's
  std::uint64_t seed = 0;
  double oracle_timeout_s = 20;
  bool quick = false;  ///< a few small shapes, and neither mutants nor kernels of the op's own
  bool torch = false;  ///< whether the torch baselines agree, too
};

/// What was found out about one op.
struct OpProof {
  CatalogueEntry entry;
  std::vector<core::Finding> findings;

  bool proven() const;
};

/// Proves an op's specification on a worker: its costs, its oracle in each dtype, its tolerance against wrong
/// outputs, its own mutants and kernels; and says what is missing. A fault of the oracle ends it: the rest
/// would be its consequences. Errors: bad_input (no such dtype), those of the worker.
Result<OpProof> prove_op(const CatalogueEntry& entry, const ProofOptions& options, RunningWorker& worker,
                         const judge::EvaluationCallbacks& callbacks);

/// Attributes that have their default in every case, so that a kernel passes which has it written into it:
/// reals without a range, whole numbers that neither range nor rule names, unless a check shape has another
/// value.
std::vector<core::Finding> unvaried_attributes(const core::Op& op);

/// The same finding of several dtypes as one: passed where all passed, else each failure once.
std::vector<core::Finding> merge_findings(
    const std::vector<std::pair<std::string, std::vector<core::Finding>>>& by_dtype);

}  // namespace kgen::cli
