#include "harness/run/messages.hpp"

#include "util/json.hpp"

namespace kgen::run {

using nlohmann::json;

json to_json(const RunFailure& failure) {
  return {{"kind", name_of(failure.kind)},
          {"fine", failure.fine},
          {"cuda_error", failure.cuda_error},
          {"message", failure.message},
          {"step", failure.step}};
}

RunFailure failure_from_json(const json& in) {
  using Kind = RunFailure::Kind;
  RunFailure out;
  const auto kind = in.at("kind").get<std::string>();
  out.kind = Kind::died;
  for (const Kind k : {Kind::fault, Kind::timeout, Kind::launch_error, Kind::unsupported_arch, Kind::world}) {
    if (name_of(k) == kind) out.kind = k;
  }
  in.at("fine").get_to(out.fine);
  in.at("cuda_error").get_to(out.cuda_error);
  in.at("message").get_to(out.message);
  in.at("step").get_to(out.step);
  return out;
}

json to_json(const KernelToLoad& kernel) {
  return {{"name", kernel.name},
          {"lowered_name", kernel.lowered_name},
          {"dynamic_shared_bytes", kernel.dynamic_shared_bytes},
          {"block", kernel.block},
          {"cluster", kernel.cluster},
          {"cooperative", kernel.cooperative}};
}

KernelToLoad kernel_from_json(const json& in) {
  KernelToLoad out;
  in.at("name").get_to(out.name);
  in.at("lowered_name").get_to(out.lowered_name);
  in.at("dynamic_shared_bytes").get_to(out.dynamic_shared_bytes);
  in.at("block").get_to(out.block);
  in.at("cluster").get_to(out.cluster);
  in.at("cooperative").get_to(out.cooperative);
  return out;
}

json to_json(const BufferSet& set) {
  json out = json::array();
  for (const SharedBuffer& b : set.buffers) {
    out.push_back({{"name", b.name}, {"ipc_handle", b.ipc_handle}, {"offset", b.offset}, {"bytes", b.bytes}});
  }
  return out;
}

BufferSet buffer_set_from_json(const json& in) {
  BufferSet out;
  for (const json& b : in) {
    out.buffers.push_back({b.at("name"), b.at("ipc_handle"), b.at("offset"), b.at("bytes")});
  }
  return out;
}

json to_json(const ChangeOfInputs& change) {
  return {{"set", change.set}, {"from", change.from}, {"inputs", change.inputs}};
}

ChangeOfInputs change_of_inputs_from_json(const json& in) {
  return {in.at("set"), in.at("from"), in.at("inputs").get<std::vector<std::string>>()};
}

json to_json(const TimeBlock& block) {
  return {{"order", block.order},
          {"flush_bytes", block.flush_bytes},
          {"graph", block.graph},
          {"poisoned", block.poisoned},
          {"poison", block.poison}};
}

TimeBlock time_block_from_json(const json& in) {
  TimeBlock out;
  in.at("order").get_to(out.order);
  in.at("flush_bytes").get_to(out.flush_bytes);
  in.at("graph").get_to(out.graph);
  in.at("poisoned").get_to(out.poisoned);
  in.at("poison").get_to(out.poison);
  return out;
}

json to_json(const RunReady& ready) {
  return {{"start_ms", ready.start_ms}, {"sandbox", ready.sandbox}, {"denies", ready.denies}};
}

RunReady ready_from_json(const json& in) {
  return {in.at("start_ms"), in.at("sandbox"), in.at("denies")};
}

json to_json(const GlobalVariable& variable) {
  return {{"name", variable.name}, {"bytes", variable.bytes}, {"hash", variable.hash}, {"why", variable.why}};
}

GlobalVariable global_from_json(const json& in) {
  return {in.at("name"), in.at("bytes"), in.at("hash"), in.at("why")};
}

json facts_to_json(const core::KernelFacts& facts) {
  return {{"name", facts.name},
          {"registers", facts.registers},
          {"stack_bytes", facts.stack_bytes},
          {"static_shared_bytes", facts.static_shared_bytes},
          {"dynamic_shared_bytes", facts.dynamic_shared_bytes},
          {"threads_per_block", facts.threads_per_block},
          {"blocks_per_sm", facts.blocks_per_sm},
          {"occupancy", facts.occupancy},
          {"occupancy_limit", facts.occupancy_limit}};
}

core::KernelFacts facts_from_json(const json& in) {
  core::KernelFacts out;
  in.at("name").get_to(out.name);
  in.at("registers").get_to(out.registers);
  in.at("stack_bytes").get_to(out.stack_bytes);
  in.at("static_shared_bytes").get_to(out.static_shared_bytes);
  in.at("dynamic_shared_bytes").get_to(out.dynamic_shared_bytes);
  in.at("threads_per_block").get_to(out.threads_per_block);
  in.at("blocks_per_sm").get_to(out.blocks_per_sm);
  in.at("occupancy").get_to(out.occupancy);
  in.at("occupancy_limit").get_to(out.occupancy_limit);
  return out;
}

}  // namespace kgen::run
