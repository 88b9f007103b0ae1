#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/judge/execution_device.hpp"

/// How arrays are described to a Python oracle (oracle_server.py).
namespace kgen::judge {

/// What it gets a dtype as: "float" (float64), "int" (int64) or "bool".
const char* kind_of(core::DType dtype);

/// A task's tensor. Throws where there is none of that name.
const core::TensorFacts& tensor_named(const std::vector<core::TensorFacts>& tensors, const std::string& name);

/// One array of a tensor's shape: name, kind, dtype, shape, count.
nlohmann::json describe_array(const std::string& name, const core::TensorFacts& tensor, const char* kind);

/// What an oracle writes: of each output its values, then the scales of those that have one ("is_scale").
nlohmann::json describe_outputs(const std::vector<OracleOutput>& outputs,
                                const std::vector<core::TensorFacts>& tensors);

/// A request to compute, without its arrays.
nlohmann::json oracle_request(const std::string& command, const core::Task& task);

}  // namespace kgen::judge
