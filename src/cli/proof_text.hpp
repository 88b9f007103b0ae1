#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "cli/prove_op.hpp"
#include "core/exit_code.hpp"

namespace kgen::cli {

/// What `kgen ops check` has to say: one table an op, then which are proven.
struct ProofReport {
  core::DeviceFacts device;
  std::uint64_t seed = 0;
  std::vector<OpProof> proofs;
};

/// A line a finding, indented by two.
std::string findings_text(const std::vector<core::Finding>& findings);
nlohmann::json findings_json(const std::vector<core::Finding>& findings);

/// ok where every op is proven, else not_met.
core::ExitCode exit_code_of(const ProofReport& report);
std::string proof_text(const ProofReport& report, bool color);
nlohmann::json proof_json(const ProofReport& report);

}  // namespace kgen::cli
