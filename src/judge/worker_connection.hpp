#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/build.hpp"
#include "core/proof.hpp"
#include "core/protocol.hpp"
#include "judge/evaluator.hpp"
#include "judge/worker_process.hpp"

namespace kgen::judge {

/// How a worker is started and how long it may be silent.
struct WorkerOptions {
  std::vector<std::string> command;
  core::HelloRequest hello;
  std::chrono::milliseconds silence_limit{600'000};  ///< every event starts it anew
  std::function<bool()> cancelled;                   ///< for hello; requests bring their own
};

/// One worker that has said hello in our version of the protocol. Requests go one at a time. After any error
/// of kind missing or interrupted that the worker did not answer itself it is spent (`alive` is false):
/// killed, to be started anew.
class WorkerConnection {
 public:
  /// Errors: missing where the worker cannot be started, dies, stays silent or speaks another version.
  static Result<WorkerConnection> start(WorkerOptions options);

  const core::HelloReply& hello() const { return hello_; }
  bool alive() const { return alive_; }

  Result<core::Evaluation> evaluate(const core::EvaluateRequest& request,
                                    const EvaluationCallbacks& callbacks);
  Result<core::BaselineReply> baseline(const core::BaselineRequest& request,
                                       const EvaluationCallbacks& callbacks);
  Result<core::SweepReply> sweep(const core::SweepRequest& request, const EvaluationCallbacks& callbacks);
  Result<core::BuildReply> build(const core::BuildRequest& request, const EvaluationCallbacks& callbacks);
  Result<core::SampleReply> sample(const core::SampleRequest& request, const EvaluationCallbacks& callbacks);
  Result<core::ProofReply> prove(const core::ProofRequest& request, const EvaluationCallbacks& callbacks);
  /// Asks the worker to end and waits a moment for it.
  void shutdown();

 private:
  WorkerConnection(WorkerProcess process, WorkerOptions options);
  /// `what`: the reply in words, for the message where `read` cannot read it.
  template <class Request, class Reader>
  auto ask_for(const char* method, const Request& request, const char* what, Reader read,
               const EvaluationCallbacks& callbacks) -> std::invoke_result_t<Reader, const nlohmann::json&>;
  Result<nlohmann::json> ask(const char* method, const nlohmann::json& params,
                             const EvaluationCallbacks& callbacks);
  Result<nlohmann::json> read_answer(std::uint64_t id, const EvaluationCallbacks& callbacks);
  Status say_hello();
  /// The error that the worker answered.
  tl::unexpected<Error> answered_error(const nlohmann::json& error);
  /// The worker broke the protocol: it is killed, and the error says how.
  tl::unexpected<Error> broken(const std::string& how);

  WorkerProcess process_;
  WorkerOptions options_;
  core::HelloReply hello_;
  std::uint64_t next_id_ = 1;
  bool alive_ = true;
};

}  // namespace kgen::judge
