#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/device_facts.hpp"
#include "core/evaluation.hpp"
#include "core/task.hpp"

/// Messages between kgen and a worker's judge role: one JSON object a line (docs/protocol.md).
///   request  {"v": 1, "id": N, "method": "hello|evaluate|baseline|profile|shutdown", "params": {...}}
///   event    {"id": N, "event": "stage", "name": ..., "ms": ...}
///   answer   {"id": N, "result": {...}}  or  {"id": N, "error": {"kind", "message", "hint"}}
namespace kgen::core {

inline constexpr int kProtocolVersion = 1;

struct HelloRequest {
  std::string device = "auto";  ///< auto, cuda:N, emulator, none
  std::string arch;             ///< for device none; empty: sm_90a
  std::string python;           ///< interpreter with torch; empty: python3; "none": no torch baselines
  int compile_jobs = 0;         ///< compile processes; 0: as many as useful
};

/// One line of `kgen doctor`.
struct ToolReport {
  std::string name;  ///< "driver", "NVRTC", "torch", "sandbox: landlock"
  bool ok = false;
  std::string text;    ///< version or what is wrong
  std::string advice;  ///< what to do; empty where ok
};

struct HelloReply {
  std::string worker_version;
  DeviceFacts device;
  std::map<std::string, std::string> references;  ///< op name -> hash of the CPU reference linked in
  std::vector<ToolReport> tools;
};

/// More is no kernel, and is refused before it is sent or compiled.
inline constexpr std::size_t kMostSourceBytes = 4 << 20;

struct EvaluateRequest {
  Task task;
  std::string source;  ///< the candidate file
  Tier tier = Tier::screen;
  std::uint64_t seed = 0;
  std::map<std::string, std::int64_t> variant;  ///< tunables; empty: the defaults
  double kernel_timeout_s = 20;
  bool timing = true;               ///< false: checks only
  bool profile = true;              ///< counters and stalls of a correct candidate, where the device can
  double profile_below_us = 0;      ///< slower candidates are not profiled; 0: all are
  bool require_all_shapes = false;  ///< --general
};

/// Measures the op's baselines for a task (and warms torch.compile), to be compared with before any candidate
/// exists.
struct BaselineRequest {
  Task task;
  std::uint64_t seed = 0;
};
struct BaselineReply {
  std::vector<BaselineTiming> baselines;
};

nlohmann::json to_json(const HelloRequest& request);
nlohmann::json to_json(const HelloReply& reply);
nlohmann::json to_json(const EvaluateRequest& request);
nlohmann::json to_json(const BaselineRequest& request);
nlohmann::json to_json(const BaselineReply& reply);
Result<HelloRequest> hello_request_from_json(const nlohmann::json& json);
Result<HelloReply> hello_reply_from_json(const nlohmann::json& json);
Result<EvaluateRequest> evaluate_request_from_json(const nlohmann::json& json);
Result<BaselineRequest> baseline_request_from_json(const nlohmann::json& json);
Result<BaselineReply> baseline_reply_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Error& error);
Error error_from_json(const nlohmann::json& json);

}  // namespace kgen::core
