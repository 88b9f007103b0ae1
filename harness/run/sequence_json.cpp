
#include "harness/run/messages.hpp"
#include "util/hex.hpp"
#include "util/json.hpp"

namespace kgen::run {

using nlohmann::json;

namespace {

json to_json(const core::ResolvedTensorMap& map) {
  return {{"name", map.name},
          {"buffer", map.buffer},
          {"offset", map.offset},
          {"dtype", core::name_of(map.dtype)},
          {"global_dim", map.global_dim},
          {"global_strides", map.global_strides},
          {"box_dim", map.box_dim},
          {"element_strides", map.element_strides},
          {"swizzle", map.swizzle},
          {"l2_promotion", map.l2_promotion},
          {"interleave", map.interleave},
          {"oob_fill", map.oob_fill}};
}

core::ResolvedTensorMap tensor_map_from_json(const json& in) {
  core::ResolvedTensorMap out;
  in.at("name").get_to(out.name);
  in.at("buffer").get_to(out.buffer);
  in.at("offset").get_to(out.offset);
  out.dtype = core::parse_dtype(in.at("dtype").get<std::string>()).value_or(core::DType::u8);
  in.at("global_dim").get_to(out.global_dim);
  in.at("global_strides").get_to(out.global_strides);
  in.at("box_dim").get_to(out.box_dim);
  in.at("element_strides").get_to(out.element_strides);
  in.at("swizzle").get_to(out.swizzle);
  in.at("l2_promotion").get_to(out.l2_promotion);
  in.at("interleave").get_to(out.interleave);
  in.at("oob_fill").get_to(out.oob_fill);
  return out;
}

json to_json(const core::BoundArgument& argument) {
  switch (argument.kind) {
    case core::BoundArgument::Kind::buffer:
      return {{"buffer", argument.name}};
    case core::BoundArgument::Kind::tensor_map:
      return {{"tensor_map", argument.name}};
    case core::BoundArgument::Kind::bytes:
      break;
  }
  return {{"bytes", util::to_hex(argument.bytes)}};
}

core::BoundArgument argument_from_json(const json& in) {
  using Kind = core::BoundArgument::Kind;
  if (in.contains("buffer")) return {Kind::buffer, in.at("buffer"), {}};
  if (in.contains("tensor_map")) return {Kind::tensor_map, in.at("tensor_map"), {}};
  return {Kind::bytes, {}, util::from_hex(in.at("bytes").get<std::string>()).value_or("")};
}

json to_json(const LaunchKernel& launch) {
  json args = json::array();
  for (const core::BoundArgument& argument : launch.args) args.push_back(to_json(argument));
  return {{"kernel", launch.lowered_name},
          {"grid", launch.grid},
          {"block", launch.block},
          {"cluster", launch.cluster},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"cooperative", launch.cooperative},
          {"pdl", launch.pdl},
          {"args", std::move(args)}};
}

LaunchKernel launch_from_json(const json& in) {
  LaunchKernel out;
  in.at("kernel").get_to(out.lowered_name);
  in.at("grid").get_to(out.grid);
  in.at("block").get_to(out.block);
  in.at("cluster").get_to(out.cluster);
  in.at("dynamic_shared_bytes").get_to(out.dynamic_shared_bytes);
  in.at("cooperative").get_to(out.cooperative);
  in.at("pdl").get_to(out.pdl);
  for (const json& argument : in.at("args")) out.args.push_back(argument_from_json(argument));
  return out;
}

json to_json(const FillBuffer& fill) {
  return {{"fill", fill.buffer},
          {"element_bytes", fill.element_bytes},
          {"pattern", fill.pattern},
          {"count", fill.count}};
}

FillBuffer fill_from_json(const json& in) {
  return {in.at("fill"), in.at("element_bytes"), in.at("pattern"), in.at("count")};
}

}  // namespace

json to_json(const LaunchSequence& sequence) {
  json maps = json::array(), steps = json::array();
  for (const core::ResolvedTensorMap& map : sequence.tensor_maps) maps.push_back(to_json(map));
  for (const auto& step : sequence.steps) {
    steps.push_back(std::visit([](const auto& s) { return to_json(s); }, step));
  }
  return {{"tensor_maps", std::move(maps)}, {"steps", std::move(steps)}};
}

LaunchSequence sequence_from_json(const json& in) {
  LaunchSequence out;
  for (const json& map : in.at("tensor_maps")) out.tensor_maps.push_back(tensor_map_from_json(map));
  for (const json& step : in.at("steps")) {
    if (step.contains("fill")) {
      out.steps.emplace_back(fill_from_json(step));
    } else {
      out.steps.emplace_back(launch_from_json(step));
    }
  }
  return out;
}

}  // namespace kgen::run
