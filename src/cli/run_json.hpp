#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "cli/run_text.hpp"
#include "core/exit_code.hpp"

namespace kgen::cli {

/// {accepted, by, note, at}
nlohmann::json review_json(const core::Review& review);

/// Everything paid for: replies, failed_attempts, possibly_paid, total, cost_complete, usage_complete.
nlohmann::json ledger_json(const core::Ledger& ledger);

/// A run as --json gives it: task, device, outcome, candidates, ledger, the best one's evaluation.
nlohmann::json run_json(const RunSummary& run, const std::optional<Error>& problem, core::ExitCode code);

}  // namespace kgen::cli
