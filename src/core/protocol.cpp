#include "core/protocol.hpp"

#include "core/json_fields.hpp"

namespace kgen::core {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HelloRequest, device, arch, python, compile_jobs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ToolReport, name, ok, text, advice)

namespace {

struct KindName {
  ErrorKind kind;
  const char* name;
};
constexpr KindName kErrorKinds[] = {
    {ErrorKind::internal, "internal"}, {ErrorKind::bad_input, "bad_input"},
    {ErrorKind::provider, "provider"}, {ErrorKind::missing, "missing"},
    {ErrorKind::waiting, "waiting"},   {ErrorKind::interrupted, "interrupted"}};

}  // namespace

json to_json(const HelloRequest& request) {
  return json(request);
}

Result<HelloRequest> hello_request_from_json(const json& j) {
  return read_json("hello request", [&] { return j.get<HelloRequest>(); });
}

json to_json(const HelloReply& reply) {
  return {{"protocol", kProtocolVersion},
          {"worker_version", reply.worker_version},
          {"device", to_json(reply.device)},
          {"references", reply.references},
          {"tools", reply.tools}};
}

Result<HelloReply> hello_reply_from_json(const json& j) {
  KGEN_TRY(const int version, read_json("hello", [&] { return j.at("protocol").get<int>(); }));
  if (version != kProtocolVersion) {
    return fail(ErrorKind::missing,
                "the worker speaks protocol " + std::to_string(version) + ", this kgen " +
                    std::to_string(kProtocolVersion),
                "install the same version of kgen and kgen-worker");
  }
  KGEN_TRY(DeviceFacts device,
           read_json("hello", [&] { return j.at("device"); }).and_then(device_facts_from_json));
  return read_json("hello", [&] {
    return HelloReply{j.at("worker_version").get<std::string>(), device,
                      j.at("references").get<std::map<std::string, std::string>>(),
                      j.at("tools").get<std::vector<ToolReport>>()};
  });
}

json to_json(const EvaluateRequest& r) {
  return {{"task", to_json(r.task)},
          {"source", r.source},
          {"tier", r.tier == Tier::screen ? "screen" : "promotion"},
          {"seed", r.seed},
          {"variant", r.variant},
          {"kernel_timeout_s", r.kernel_timeout_s},
          {"timing", r.timing},
          {"profile", r.profile},
          {"profile_below_us", r.profile_below_us},
          {"require_all_shapes", r.require_all_shapes}};
}

Result<EvaluateRequest> evaluate_request_from_json(const json& j) {
  KGEN_TRY(Task task, read_json("evaluate", [&] { return j.at("task"); }).and_then(task_from_json));
  return read_json("evaluate", [&] {
    EvaluateRequest r;
    r.task = task;
    j.at("source").get_to(r.source);
    r.tier = j.at("tier").get<std::string>() == "promotion" ? Tier::promotion : Tier::screen;
    j.at("seed").get_to(r.seed);
    j.at("variant").get_to(r.variant);
    j.at("kernel_timeout_s").get_to(r.kernel_timeout_s);
    j.at("timing").get_to(r.timing);
    r.profile = j.value("profile", true);
    r.profile_below_us = j.value("profile_below_us", 0.0);
    j.at("require_all_shapes").get_to(r.require_all_shapes);
    return r;
  });
}

json to_json(const BaselineRequest& r) {
  return {{"task", to_json(r.task)}, {"seed", r.seed}};
}

Result<BaselineRequest> baseline_request_from_json(const json& j) {
  KGEN_TRY(Task task, read_json("baseline", [&] { return j.at("task"); }).and_then(task_from_json));
  KGEN_TRY(const auto seed, read_json("baseline", [&] { return j.at("seed").get<std::uint64_t>(); }));
  return BaselineRequest{task, seed};
}

json to_json(const BaselineReply& reply) {
  json list = json::array();
  for (const auto& baseline : reply.baselines) list.push_back(baseline_to_json(baseline));
  return {{"baselines", list}};
}

Result<BaselineReply> baseline_reply_from_json(const json& j) {
  KGEN_TRY(const auto list, read_json("baseline reply", [&] { return j.at("baselines"); }));
  BaselineReply reply;
  for (const auto& entry : list) {
    KGEN_TRY(auto baseline, baseline_from_json(entry));
    reply.baselines.push_back(std::move(baseline));
  }
  return reply;
}

json to_json(const Error& error) {
  const char* kind = "internal";
  for (const auto& row : kErrorKinds) {
    if (row.kind == error.kind) kind = row.name;
  }
  return {{"kind", kind}, {"message", error.message}, {"hint", error.hint}};
}

Error error_from_json(const json& j) {
  const auto text = [&](const char* key, const char* fallback) {
    const auto found = j.find(key);
    return found != j.end() && found->is_string() ? found->get<std::string>() : std::string(fallback);
  };
  if (!j.is_object())
    return {ErrorKind::internal, j.dump(-1, ' ', false, json::error_handler_t::replace), ""};
  Error error{ErrorKind::internal, text("message", "no message"), text("hint", "")};
  for (const auto& row : kErrorKinds) {
    if (text("kind", "") == row.name) error.kind = row.kind;
  }
  return error;
}

}  // namespace kgen::core
