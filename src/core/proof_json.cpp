#include <array>

#include "core/json_fields.hpp"
#include "core/proof.hpp"

namespace kgen::core {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kFindingStates = {"passed", "failed", "skipped", "missing"};

Finding read_finding(const json& in) {
  Finding finding;
  in.at("name").get_to(finding.name);
  in.at("where").get_to(finding.where);
  in.at("detail").get_to(finding.detail);
  finding.state = Finding::State::failed;  // a state of another release is nothing to rely on
  const auto state = in.at("state").get<std::string>();
  for (std::size_t i = 0; i < kFindingStates.size(); ++i) {
    if (state == kFindingStates[i]) finding.state = static_cast<Finding::State>(i);
  }
  return finding;
}

}  // namespace

std::string_view name_of(Finding::State state) {
  return kFindingStates.at(static_cast<std::size_t>(state));
}

json to_json(const Finding& finding) {
  return {{"name", finding.name},
          {"state", name_of(finding.state)},
          {"where", finding.where},
          {"detail", finding.detail}};
}

json to_json(const ProofRequest& request) {
  return {{"task", to_json(request.task)},
          {"seed", request.seed},
          {"oracle_timeout_s", request.oracle_timeout_s},
          {"quick", request.quick},
          {"torch", request.torch}};
}

Result<ProofRequest> proof_request_from_json(const json& in) {
  KGEN_TRY(Task task, read_json("prove", [&] { return in.at("task"); }).and_then(task_from_json));
  return read_json("prove", [&] {
    return ProofRequest{task, in.at("seed").get<std::uint64_t>(), in.at("oracle_timeout_s").get<double>(),
                        in.at("quick").get<bool>(), in.at("torch").get<bool>()};
  });
}

json to_json(const ProofReply& reply) {
  json findings = json::array();
  for (const Finding& finding : reply.findings) findings.push_back(to_json(finding));
  return {{"findings", findings}};
}

Result<ProofReply> proof_reply_from_json(const json& in) {
  return read_json("proof", [&] {
    ProofReply reply;
    for (const json& finding : in.at("findings")) reply.findings.push_back(read_finding(finding));
    return reply;
  });
}

}  // namespace kgen::core
