#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "judge/evaluator.hpp"
#include "judge/worker_connection.hpp"

namespace kgen::judge {

/// The workers of this process, one a device. A worker starts when it is first needed, and again when it is
/// needed after it died. May be used by several threads: each request takes a free worker.
class WorkerPool : public Evaluator {
 public:
  /// One entry a worker, at least one.
  explicit WorkerPool(std::vector<WorkerOptions> workers);
  ~WorkerPool() override;

  /// What a worker said; starts it where it does not run. Errors: as WorkerConnection::start.
  Result<core::HelloReply> hello();
  /// What every worker says, in their order. Errors: as hello; missing where they have different devices.
  Result<std::vector<core::HelloReply>> hello_all();
  Result<core::Evaluation> evaluate(const core::EvaluateRequest& request,
                                    const EvaluationCallbacks& callbacks) override;
  Result<core::BaselineReply> baseline(const core::BaselineRequest& request,
                                       const EvaluationCallbacks& callbacks) override;
  Result<core::SweepReply> sweep(const core::SweepRequest& request,
                                 const EvaluationCallbacks& callbacks) override;
  /// For `kgen export`: nothing of these runs a candidate.
  Result<core::BuildReply> build(const core::BuildRequest& request, const EvaluationCallbacks& callbacks);
  Result<core::SampleReply> sample(const core::SampleRequest& request, const EvaluationCallbacks& callbacks);
  /// For `kgen ops check`.
  Result<core::ProofReply> prove(const core::ProofRequest& request, const EvaluationCallbacks& callbacks);
  /// Errors: as hello; missing where the fresh worker finds another device than the one before.
  Status restart() override;

 private:
  struct Slot {
    WorkerOptions options;
    std::optional<WorkerConnection> connection;
    std::optional<core::DeviceFacts> device;  ///< as first seen
    bool busy = false;
    std::thread::id
        last_user;  ///< which gets it again where it is free: restart() then meets the worker that failed
  };
  class Lease;
  Status ensure_running(Slot& slot);
  template <class Reply, class Request>
  using Call = Result<Reply> (WorkerConnection::*)(const Request&, const EvaluationCallbacks&);
  /// The call on the next worker that is free.
  template <class Reply, class Request>
  Result<Reply> on_a_worker(Call<Reply, Request> call, const Request& request,
                            const EvaluationCallbacks& callbacks);

  std::vector<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable freed_;
};

/// Ops whose CPU reference in the worker is another than this program knows, one sentence an op.
/// `references`: op name -> hash, of this program's own ops.
std::vector<std::string> reference_mismatches(const core::HelloReply& hello,
                                              const std::map<std::string, std::string>& references);

}  // namespace kgen::judge
