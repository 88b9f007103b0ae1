#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation.hpp"
#include "core/task.hpp"

/// A sweep: several variants (choices of tunables) of one candidate, checked and timed one after the other
/// (docs/tuning.md).
namespace kgen::core {

/// What the worker is asked: the variants in the order they are tried in, the first being what the others are
/// compared with.
struct SweepRequest {
  Task task;
  std::string source;  ///< the candidate file
  std::uint64_t seed = 0;
  std::vector<std::map<std::string, std::int64_t>> variants;
  double kernel_timeout_s = 20;
  double limit_s = 60;  ///< variants not begun by then are not tried
};

/// One variant that was tried. `correct` means: at the task's shape alone.
struct SweptVariant {
  std::map<std::string, std::int64_t> variant;
  Verdict verdict = Verdict::not_run;
  std::string kind, message;
  std::optional<Interval> time;  ///< of a correct one on a device that times
  bool stopped_early = false;    ///< slower than the fastest beyond doubt after few samples
  int registers = -1;            ///< most of any of its kernels; -1: not known
  std::int64_t spill_bytes = -1;
};

struct SweepReply {
  std::vector<SweptVariant> variants;  ///< in the order they were tried
  int not_tried = 0;                   ///< for want of time
  std::string method;                  ///< "stream" or "graph", the same for all; empty: nothing was timed
  double ms = 0;
};

/// sweep.json: what became of a candidate's variants.
struct SweepRecord {
  std::uint64_t seed = 0;
  int feasible = 0;                             ///< variants that the plan's constraints allow for the task
  std::map<std::string, std::int64_t> before;   ///< what the candidate was judged with first
  std::map<std::string, std::int64_t> variant;  ///< what it is judged with from here on
  std::string reason;                           ///< why, in a sentence
  SweepReply reply;
};

/// "BM=64 BN=128"; empty where there are no tunables.
std::string variant_text(const std::map<std::string, std::int64_t>& variant);
/// Tried and found wrong, or not compiled, or crashed.
bool is_rejected(const SweptVariant& variant);
int count_rejected(const SweepReply& reply);

nlohmann::json to_json(const SweepRequest& request);
nlohmann::json to_json(const SweepReply& reply);
nlohmann::json to_json(const SweepRecord& record);
Result<SweepRequest> sweep_request_from_json(const nlohmann::json& json);
Result<SweepReply> sweep_reply_from_json(const nlohmann::json& json);
Result<SweepRecord> sweep_record_from_json(const nlohmann::json& json);

}  // namespace kgen::core
