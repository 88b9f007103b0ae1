#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/resolved_plan.hpp"
#include "core/task.hpp"

/// What `kgen export` asks a worker for: a candidate's code, and values to try it with.
namespace kgen::core {

/// Compiles a candidate file with these macros; nothing is run.
struct BuildRequest {
  std::string source;
  std::vector<std::pair<std::string, std::int64_t>> macros;       ///< tunables, defines, TMX_BYTES
  std::vector<std::pair<std::string, std::string>> type_aliases;  ///< tensor name -> dtype name
  std::vector<std::string> kernels;                               ///< as the plan names them
  std::string arch, std = "c++17";
  bool fast_math = false;
  std::optional<int> max_registers;
};

struct BuiltKernel {
  std::string expression;    ///< as asked for
  std::string lowered_name;  ///< in the cubin and the PTX
  std::vector<ParameterType> parameters;
};

struct BuildReply {
  bool ok = false;
  std::string message;  ///< why not, with the compiler's own words
  std::string cubin, ptx;
  std::vector<BuiltKernel> kernels;
};

/// Inputs of a task and what the CPU reference expects of its outputs.
struct SampleRequest {
  Task task;
  std::uint64_t seed = 0;
};

struct SampleTensor {
  std::string name;
  std::string data;  ///< bytes of an input or inout before the launch; empty of an output
  std::vector<double> expected, allowed;  ///< of an output or inout: exact value, and how far off is right
};

struct SampleReply {
  std::string distribution;
  std::vector<SampleTensor> tensors;  ///< in the op's order
};

nlohmann::json to_json(const BuildRequest& request);
nlohmann::json to_json(const BuildReply& reply);
nlohmann::json to_json(const SampleRequest& request);
nlohmann::json to_json(const SampleReply& reply);
Result<BuildRequest> build_request_from_json(const nlohmann::json& json);
Result<BuildReply> build_reply_from_json(const nlohmann::json& json);
Result<SampleRequest> sample_request_from_json(const nlohmann::json& json);
Result<SampleReply> sample_reply_from_json(const nlohmann::json& json);

}  // namespace kgen::core
