#include "core/json_fields.hpp"
#include "core/task.hpp"

namespace kgen::core {

nlohmann::json to_json(const Task& task) {
  return {{"op", to_json(*task.op)},
          {"dtype", name_of(task.dtype)},
          {"dims", task.dims},
          {"attributes", task.attributes}};
}

Result<Task> task_from_json(const nlohmann::json& in) {
  KGEN_TRY(Op op, read_json("task.op", [&] { return in.at("op"); }).and_then(op_from_json));
  KGEN_TRY(const auto dtype, read_json("task.dtype", [&] { return in.at("dtype").get<std::string>(); }));
  KGEN_TRY(const auto dims, read_json("task.dims", [&] { return in.at("dims").get<Dims>(); }));
  KGEN_TRY(const auto attributes,
           read_json("task.attributes", [&] { return in.at("attributes").get<Attributes>(); }));
  return make_task(std::make_shared<const Op>(std::move(op)), dtype, dims, attributes);
}

}  // namespace kgen::core
