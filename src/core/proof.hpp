#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/task.hpp"

/// What `kgen ops check` finds out about a specification, and asks a worker for (docs/ops/your-own.md).
namespace kgen::core {

/// One property of a specification.
struct Finding {
  enum class State {
    passed,
    failed,
    skipped,  ///< could not be looked at; the detail says why
    missing,  ///< nothing is wrong, and something is not there that would make the evidence stronger
  };
  std::string name;  ///< "cost", "oracle", "written", "repeatable", "numbers", "agreement", "tolerance", ...
  State state = State::passed;
  std::string where;  ///< the case that it speaks of, "softmax f32 rows=3 cols=7, normal"; empty: all of them
  std::string detail;
};
std::string_view name_of(Finding::State state);

/// Proves what an op's specification says of its oracle, tolerance and distributions, in the task's dtype.
struct ProofRequest {
  Task task;  ///< its own shape is one of those that are tried
  std::uint64_t seed = 0;
  double oracle_timeout_s = 20;  ///< of one run of the oracle at one shape
  bool quick = false;            ///< a few of the smallest shapes alone
  bool torch = false;            ///< also whether the op's torch baselines compute the same
};

struct ProofReply {
  std::vector<Finding> findings;
};

/// Whether flops and bytes of the cost model can be true at the default task, the emulator's and each check
/// shape: bytes cover the tensors (but for tables of which indices choose rows, and inputs where attributes
/// are not the default ones) and are not many times as many, products are among the flops. One finding,
/// "cost".
Finding check_costs(const std::shared_ptr<const Op>& op);

nlohmann::json to_json(const Finding& finding);
nlohmann::json to_json(const ProofRequest& request);
nlohmann::json to_json(const ProofReply& reply);
Result<ProofRequest> proof_request_from_json(const nlohmann::json& json);
Result<ProofReply> proof_reply_from_json(const nlohmann::json& json);

}  // namespace kgen::core
