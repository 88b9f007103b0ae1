#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/run/run_process.hpp"

/// The JSON of the messages between the judge and a run process.
///   request  {"call": "start|load|map|unmap|launch|time|globals", ...}, a cubin as payload of start and load
///   answer   {"ok": {...}} or {"failure": {...}}
/// Readers throw nlohmann's exceptions on a wrong or missing field.
namespace kgen::run {

nlohmann::json to_json(const RunFailure& failure);
RunFailure failure_from_json(const nlohmann::json& json);

nlohmann::json to_json(const KernelToLoad& kernel);
KernelToLoad kernel_from_json(const nlohmann::json& json);

nlohmann::json to_json(const BufferSet& set);
BufferSet buffer_set_from_json(const nlohmann::json& json);

nlohmann::json to_json(const LaunchSequence& sequence);
LaunchSequence sequence_from_json(const nlohmann::json& json);

nlohmann::json to_json(const ChangeOfInputs& change);
ChangeOfInputs change_of_inputs_from_json(const nlohmann::json& json);
nlohmann::json to_json(const TimeBlock& block);
TimeBlock time_block_from_json(const nlohmann::json& json);

nlohmann::json to_json(const RunReady& ready);
RunReady ready_from_json(const nlohmann::json& json);

nlohmann::json to_json(const GlobalVariable& variable);
GlobalVariable global_from_json(const nlohmann::json& json);

nlohmann::json facts_to_json(const core::KernelFacts& facts);
core::KernelFacts facts_from_json(const nlohmann::json& json);

/// A list of things out of one JSON array.
template <class T, class Json>
std::vector<T> list_from_json(const Json& json, T (*read)(const Json&)) {
  std::vector<T> out;
  for (const auto& item : json) out.push_back(read(item));
  return out;
}

}  // namespace kgen::run
