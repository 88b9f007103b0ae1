#include "harness/judge/python_arrays.hpp"

#include <stdexcept>

#include "harness/judge/python_server.hpp"
#include "util/json.hpp"

namespace kgen::judge {

using nlohmann::json;

const char* kind_of(core::DType dtype) {
  return core::facts_of(dtype).is_float ? "float" : dtype == core::DType::b8 ? "bool" : "int";
}

const core::TensorFacts& tensor_named(const std::vector<core::TensorFacts>& tensors,
                                      const std::string& name) {
  for (const auto& tensor : tensors)
    if (tensor.name == name) return tensor;
  throw std::logic_error("no tensor " + name);
}

json describe_array(const std::string& name, const core::TensorFacts& tensor, const char* kind) {
  return {{"name", name},
          {"kind", kind},
          {"dtype", std::string(core::name_of(tensor.dtype))},
          {"shape", tensor.shape},
          {"count", tensor.elements}};
}

json describe_outputs(const std::vector<OracleOutput>& outputs,
                      const std::vector<core::TensorFacts>& tensors) {
  json out = json::array();
  for (const OracleOutput& output : outputs) {
    const auto& tensor = tensor_named(tensors, output.output);
    out.push_back(describe_array(output.output, tensor, output.is_double ? "float" : kind_of(tensor.dtype)));
  }
  for (const OracleOutput& output : outputs) {
    if (output.scale.empty()) continue;
    out.push_back(describe_array(output.scale, tensor_named(tensors, output.output), "float"));
    out.back()["is_scale"] = true;
  }
  return out;
}

json oracle_request(const std::string& command, const core::Task& task) {
  return {{"command", command},
          {"dtype", std::string(core::name_of(task.dtype))},
          {"dims", task.dims},
          {"attributes", keyword_attributes(task)}};
}

}  // namespace kgen::judge
