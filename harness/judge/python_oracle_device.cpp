#include <algorithm>

#include "harness/judge/python_arrays.hpp"
#include "harness/judge/python_oracle.hpp"
#include "harness/judge/rules.hpp"
#include "util/json.hpp"

// The part of a Python oracle that works on the judge's GPU: forward() first, with the inputs staged; then,
// these dropped, room is made for what is expected, and it is written there.
namespace kgen::judge {

using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kFirstLimit{60'000};  ///< on top for the first run: libraries load their kernels
constexpr milliseconds kStoreLimit{60'000};

json with_place(json array, const IpcArray& place) {
  array["handle"] = place.ipc_handle;
  array["offset"] = place.offset;
  return array;
}

/// Adds the extents as op.toml has them, by which kgen_parts.py knows rows; of NAME_scale those of NAME.
json with_extents(json arrays, const core::Task& task) {
  constexpr std::string_view kScale = "_scale";
  for (json& array : arrays) {
    auto name = array["name"].get<std::string>();
    if (array.contains("is_scale")) name.resize(name.size() - kScale.size());
    array["extents"] = json::array();
    if (const core::Tensor* const tensor = task.op->find_tensor(name); tensor != nullptr) {
      for (const auto& extent : tensor->shape) array["extents"].push_back(extent.text());
    }
  }
  return arrays;
}

}  // namespace

Status PythonOracle::compute_on(ExecutionDevice& device, const core::Task& task,
                                const std::vector<core::TensorFacts>& tensors, const InputCase& input,
                                milliseconds limit) {
  std::vector<InputToStage> inputs;
  json arrays = json::array();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role == core::Role::output) continue;
    inputs.push_back(
        {fill_params(*input.distribution, tensors[i], i, input.seed), tensors[i].elements, tensors[i].bytes});
    arrays.push_back(describe_array(tensors[i].name, tensors[i], kind_of(tensors[i].dtype)));
  }
  KGEN_TRY(const auto places, device.stage_inputs(inputs));
  I64 staged = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    arrays[i] = with_place(std::move(arrays[i]), places[i]);
    staged += inputs[i].bytes;
  }
  json request = oracle_request("compute_on_device", task);
  request["inputs"] = with_extents(std::move(arrays), task);
  request["outputs"] = with_extents(describe_outputs(oracle_outputs(task), tensors), task);
  KGEN_TRY(const json computed, ask(request, limit + (ran_on_device_ ? milliseconds{0} : kFirstLimit)));
  ran_on_device_ = true;
  place_ = computed.value("place", "");
  I64& most = device_bytes_[task_key(task)];
  most = std::max(most, staged + computed.value("most_bytes", I64{0}));
  return {};
}

Status PythonOracle::store_on(ExecutionDevice& device, int set, const core::Task& task,
                              const std::vector<core::TensorFacts>& tensors, unsigned char poison) {
  const auto outputs = oracle_outputs(task);
  std::vector<OutputToShare> shared;
  for (const OracleOutput& output : outputs)
    shared.push_back({output.output, tensor_named(tensors, output.output).elements, !output.scale.empty()});
  KGEN_TRY(const auto places, device.share_expected(set, shared, poison));
  json arrays = describe_outputs(outputs, tensors);
  std::size_t scale = outputs.size();  // scales come behind all values
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    arrays[k] = with_place(std::move(arrays[k]), places[k].values);
    if (outputs[k].scale.empty()) continue;
    arrays[scale] = with_place(std::move(arrays[scale]), places[k].scale);
    ++scale;
  }
  return ask({{"command", "store_on_device"}, {"outputs", arrays}}, kStoreLimit).map([](auto&&) {});
}

Status PythonOracle::expect_on(ExecutionDevice& device, int set, const core::Task& task,
                               const std::vector<core::TensorFacts>& tensors, const InputCase& input,
                               unsigned char poison, milliseconds limit) {
  Status computed = compute_on(device, task, tensors, input, limit);
  device.drop_staged();
  if (!computed) return computed;
  Status stored = store_on(device, set, task, tensors, poison);
  broken_ = broken_ || !stored;
  return stored;
}

I64 PythonOracle::device_bytes(const core::Task& task) const {
  const auto found = device_bytes_.find(task_key(task));
  return found == device_bytes_.end() ? 0 : found->second;
}

I64 oracle_device_bytes(const PythonOracles* oracles, const core::Task& task) {
  if (oracles == nullptr || !has_python_oracle(*task.op)) return 0;
  const auto found = oracles->by_key.find(task.op->hash);
  return found == oracles->by_key.end() || !found->second ? 0 : found->second->device_bytes(task);
}

}  // namespace kgen::judge
