#include "harness/judge/protocol_loop.hpp"

#include <algorithm>
#include <iterator>

#include "harness/judge/evaluate.hpp"
#include "harness/judge/export_parts.hpp"
#include "harness/judge/measure_baselines.hpp"
#include "harness/judge/prove.hpp"
#include "harness/judge/sweep.hpp"
#include "util/json.hpp"

namespace kgen::judge {

using nlohmann::json;

namespace {

/// Text that is no valid UTF-8 is replaced, never thrown at.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Error request_error(const std::string& what) {
  return {ErrorKind::bad_input, "request: " + what, "see docs/protocol.md"};
}

/// The parts of a request line, or what is wrong with it.
struct Request {
  json id = nullptr;
  std::string method;
  json params;
  std::string problem;
};

Request read_request(const std::string& line) {
  Request out;
  const json request = json::parse(line, nullptr, false);
  if (!request.is_object()) {
    out.problem = "a line is no JSON object";
    return out;
  }
  if (request.contains("id") && (request["id"].is_number_integer() || request["id"].is_string())) {
    out.id = request["id"];
  }
  if (!request.contains("method") || !request["method"].is_string()) {
    out.problem = "no method";
  } else if (request.contains("v") && request["v"] != core::kProtocolVersion) {
    out.problem = "protocol version " + dump(request["v"]) + "; this worker speaks " +
                  std::to_string(core::kProtocolVersion);
  } else if (request.contains("params") && !request["params"].is_object()) {
    out.problem = "params is no object";
  } else {
    out.method = request["method"].get<std::string>();
    out.params = request.value("params", json::object());
  }
  return out;
}

}  // namespace

int ProtocolLoop::run() {
  std::string line;
  while (true) {
    switch (channel_.read_line(line, std::chrono::milliseconds{1'000'000})) {
      case util::LineChannel::ReadStatus::line:
        if (!answer(line)) return 0;
        break;
      case util::LineChannel::ReadStatus::too_long:
        (void)channel_.write_line(
            dump({{"id", nullptr}, {"error", core::to_json(request_error("a line of more than 64 MiB"))}}));
        break;
      case util::LineChannel::ReadStatus::closed:
        return 0;
      case util::LineChannel::ReadStatus::timeout:
        break;
    }
  }
}

bool ProtocolLoop::answer(const std::string& line) {
  const Request request = read_request(line);
  json message = {{"id", request.id}};
  Result<std::string> result = fail(ErrorKind::internal, "");
  if (!request.problem.empty()) {
    result = tl::unexpected(request_error(request.problem));
  } else if (request.method == "shutdown") {
    result = "{}";
  } else {
    try {
      result = dispatch(request.method, dump(request.params), dump(request.id));
    } catch (const std::exception& e) {
      result =
          fail(ErrorKind::internal, "a defect in the judge: " + std::string(e.what()), "please report it");
    }
  }
  if (result) {
    message["result"] = json::parse(*result);
  } else {
    message["error"] = core::to_json(result.error());
  }
  const bool written = channel_.write_line(dump(message)).has_value();
  return written && request.method != "shutdown";
}

Result<std::string> ProtocolLoop::dispatch(const std::string& method, const std::string& params,
                                           const std::string& id) {
  if (method == "hello") return hello(params);
  if (method == "profile") {
    return fail(ErrorKind::missing,
                "profile: there is no such request: evaluate profiles each correct candidate");
  }
  constexpr std::string_view kMethods[] = {"evaluate", "baseline", "sweep", "build", "sample", "prove"};
  if (std::find(std::begin(kMethods), std::end(kMethods), method) == std::end(kMethods)) {
    return tl::unexpected(request_error(
        "unknown method '" + method +
        "'; there are hello, evaluate, baseline, sweep, build, sample, prove, profile, shutdown"));
  }
  if (!open_) return tl::unexpected(request_error(method + " before hello"));
  if (method == "sweep") return sweep_variants(params, id);
  if (method == "build") return build_candidate(params);
  if (method == "sample") return make_sample(params);
  if (method == "prove") return prove_op(params, id);
  return method == "evaluate" ? evaluate_candidate(params, id) : measure_baselines(params, id);
}

Result<std::string> ProtocolLoop::hello(const std::string& params) {
  json filled = core::to_json(core::HelloRequest{});
  filled.update(json::parse(params));
  KGEN_TRY(const auto request, core::hello_request_from_json(filled));
  open_.reset();
  KGEN_TRY(open_, open_workplace(request, worker_));
  return dump(core::to_json(open_->reply));
}

StageEvent ProtocolLoop::stage_events(const std::string& id) {
  return [this, id = json::parse(id)](const core::Stage& stage) {
    (void)channel_.write_line(dump({{"id", id}, {"event", "stage"}, {"name", stage.name}, {"ms", stage.ms}}));
  };
}

Result<std::string> ProtocolLoop::evaluate_candidate(const std::string& params, const std::string& id) {
  KGEN_TRY(const auto request, core::evaluate_request_from_json(json::parse(params)));
  KGEN_TRY(const auto evaluation, evaluate(open_->workplace, request, stage_events(id)));
  return dump(core::to_json(evaluation));
}

Result<std::string> ProtocolLoop::build_candidate(const std::string& params) {
  KGEN_TRY(const auto request, core::build_request_from_json(json::parse(params)));
  KGEN_TRY(const auto reply, build(open_->workplace, request));
  return dump(core::to_json(reply));
}

Result<std::string> ProtocolLoop::make_sample(const std::string& params) {
  KGEN_TRY(const auto request, core::sample_request_from_json(json::parse(params)));
  KGEN_TRY(const auto reply, sample(open_->workplace, request));
  return dump(core::to_json(reply));
}

Result<std::string> ProtocolLoop::prove_op(const std::string& params, const std::string& id) {
  KGEN_TRY(const auto request, core::proof_request_from_json(json::parse(params)));
  KGEN_TRY(const auto reply, prove(open_->workplace, request, stage_events(id)));
  return dump(core::to_json(reply));
}

Result<std::string> ProtocolLoop::sweep_variants(const std::string& params, const std::string& id) {
  KGEN_TRY(const auto request, core::sweep_request_from_json(json::parse(params)));
  KGEN_TRY(const auto reply, sweep(open_->workplace, request, stage_events(id)));
  return dump(core::to_json(reply));
}

Result<std::string> ProtocolLoop::measure_baselines(const std::string& params, const std::string& id) {
  KGEN_TRY(const auto request, core::baseline_request_from_json(json::parse(params)));
  KGEN_TRY(const auto reply, judge::measure_baselines(open_->workplace, request, stage_events(id)));
  return dump(core::to_json(reply));
}

}  // namespace kgen::judge
