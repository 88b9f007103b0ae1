#include "judge/worker_connection.hpp"

#include "core/json_fields.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::judge {
namespace {

/// The beginning of a line that makes no sense, for a message.
std::string excerpt(const std::string& line) {
  constexpr std::size_t kBytes = 80;
  const std::string text = util::printable(std::string_view(line).substr(0, kBytes));
  return line.size() > kBytes ? text + "..." : text;
}

}  // namespace

WorkerConnection::WorkerConnection(WorkerProcess process, WorkerOptions options)
    : process_(std::move(process)), options_(std::move(options)) {}

Result<WorkerConnection> WorkerConnection::start(WorkerOptions options) {
  KGEN_TRY(WorkerProcess process, WorkerProcess::start(options.command));
  WorkerConnection connection(std::move(process), std::move(options));
  KGEN_CHECK(connection.say_hello());
  return connection;
}

Status WorkerConnection::say_hello() {
  KGEN_TRY(const nlohmann::json result,
           ask("hello", core::to_json(options_.hello), {options_.cancelled, {}}));
  auto reply = core::hello_reply_from_json(result);
  if (!reply) return broken("cannot be used: " + reply.error().text());
  hello_ = std::move(*reply);
  return {};
}

template <class Request, class Reader>
auto WorkerConnection::ask_for(const char* method, const Request& request, const char* what, Reader read,
                               const EvaluationCallbacks& callbacks)
    -> std::invoke_result_t<Reader, const nlohmann::json&> {
  KGEN_TRY(const nlohmann::json result, ask(method, core::to_json(request), callbacks));
  auto reply = read(result);
  if (!reply)
    return broken(std::string("sent ") + what + " that cannot be read (" + reply.error().message + ")");
  return reply;
}

Result<core::Evaluation> WorkerConnection::evaluate(const core::EvaluateRequest& request,
                                                    const EvaluationCallbacks& callbacks) {
  return ask_for("evaluate", request, "an evaluation", core::evaluation_from_json, callbacks);
}

Result<core::BaselineReply> WorkerConnection::baseline(const core::BaselineRequest& request,
                                                       const EvaluationCallbacks& callbacks) {
  return ask_for("baseline", request, "baselines", core::baseline_reply_from_json, callbacks);
}

Result<core::SweepReply> WorkerConnection::sweep(const core::SweepRequest& request,
                                                 const EvaluationCallbacks& callbacks) {
  return ask_for("sweep", request, "a sweep", core::sweep_reply_from_json, callbacks);
}

Result<core::BuildReply> WorkerConnection::build(const core::BuildRequest& request,
                                                 const EvaluationCallbacks& callbacks) {
  return ask_for("build", request, "a build", core::build_reply_from_json, callbacks);
}

Result<core::SampleReply> WorkerConnection::sample(const core::SampleRequest& request,
                                                   const EvaluationCallbacks& callbacks) {
  return ask_for("sample", request, "a sample", core::sample_reply_from_json, callbacks);
}

Result<core::ProofReply> WorkerConnection::prove(const core::ProofRequest& request,
                                                 const EvaluationCallbacks& callbacks) {
  return ask_for("prove", request, "a proof", core::proof_reply_from_json, callbacks);
}

void WorkerConnection::shutdown() {
  if (!alive_) return;
  alive_ = false;
  const nlohmann::json request{{"v", core::kProtocolVersion},
                               {"id", next_id_},
                               {"method", "shutdown"},
                               {"params", nlohmann::json::object()}};
  if (process_.write_line(request.dump())) process_.stop(std::chrono::seconds(2));
}

Result<nlohmann::json> WorkerConnection::ask(const char* method, const nlohmann::json& params,
                                             const EvaluationCallbacks& callbacks) {
  const std::uint64_t id = next_id_++;
  const nlohmann::json request{
      {"v", core::kProtocolVersion}, {"id", id}, {"method", method}, {"params", params}};
  // A source or a name may hold bytes that are no UTF-8: they are replaced, not thrown over.
  if (auto sent = process_.write_line(request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      !sent) {
    alive_ = false;
    return tl::unexpected<Error>(sent.error());
  }
  return read_answer(id, callbacks);
}

Result<nlohmann::json> WorkerConnection::read_answer(std::uint64_t id, const EvaluationCallbacks& callbacks) {
  while (true) {
    auto line = process_.read_line(options_.silence_limit, callbacks.cancelled);
    if (!line) {
      alive_ = false;
      return tl::unexpected<Error>(std::move(line).error());
    }
    const nlohmann::json message = core::parse_json(*line, "an answer").value_or(nlohmann::json());
    if (!message.is_object()) return broken("sent a line that is no message: " + excerpt(*line));
    if (!message.contains("id") || message["id"] != id)
      return broken("answered another request than was asked: " + excerpt(*line));
    if (message.contains("error")) return answered_error(message["error"]);
    if (message.contains("result")) return message["result"];
    if (message.value("event", nlohmann::json()) != "stage")
      continue;  // events of later releases are passed over
    const nlohmann::json name = message.value("name", nlohmann::json()),
                         ms = message.value("ms", nlohmann::json());
    if (callbacks.stage && name.is_string() && ms.is_number())
      callbacks.stage({name.get<std::string>(), ms.get<double>()});
  }
}

tl::unexpected<Error> WorkerConnection::answered_error(const nlohmann::json& error) {
  for (const char* field : {"kind", "message", "hint"})
    if (!error.is_object() || (error.contains(field) && !error[field].is_string()))
      return broken("sent an error that cannot be read: " + excerpt(error.dump()));
  return tl::unexpected<Error>(core::error_from_json(error));
}

tl::unexpected<Error> WorkerConnection::broken(const std::string& how) {
  alive_ = false;
  return process_.failure(how);
}

}  // namespace kgen::judge
