#pragma once

#include <filesystem>

#include "agent/draft_loop.hpp"
#include "cli/prove_op.hpp"

namespace kgen::cli {

/// Checks the op in `folder` as `kgen ops check` does. A file that cannot be read is a finding, "read", that
/// failed. Findings speak of the files by their names in the folder, wherever that lies. Errors: those of the
/// worker.
Result<agent::DraftProof> prove_draft(const std::filesystem::path& folder, const ProofOptions& options,
                                      RunningWorker& worker, const judge::EvaluationCallbacks& callbacks);

}  // namespace kgen::cli
