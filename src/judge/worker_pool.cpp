#include "judge/worker_pool.hpp"

#include <algorithm>

namespace kgen::judge {

/// Holds one free slot for one request.
class WorkerPool::Lease {
 public:
  explicit Lease(WorkerPool& pool) : pool_(pool) {
    std::unique_lock lock(pool.mutex_);
    const auto is_free = [](const Slot& slot) { return !slot.busy; };
    pool.freed_.wait(lock, [&] { return std::any_of(pool.slots_.begin(), pool.slots_.end(), is_free); });
    const auto own = std::find_if(pool.slots_.begin(), pool.slots_.end(), [&](const Slot& slot) {
      return is_free(slot) && slot.last_user == std::this_thread::get_id();
    });
    slot_ =
        own != pool.slots_.end() ? &*own : &*std::find_if(pool.slots_.begin(), pool.slots_.end(), is_free);
    slot_->busy = true;
    slot_->last_user = std::this_thread::get_id();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    const std::lock_guard lock(pool_.mutex_);
    slot_->busy = false;
    pool_.freed_.notify_one();
  }
  Slot& slot() { return *slot_; }

 private:
  WorkerPool& pool_;
  Slot* slot_;
};

WorkerPool::WorkerPool(std::vector<WorkerOptions> workers) {
  for (WorkerOptions& options : workers)
    slots_.push_back({std::move(options), std::nullopt, std::nullopt, false, {}});
}

WorkerPool::~WorkerPool() {
  for (Slot& slot : slots_)
    if (slot.connection) slot.connection->shutdown();
}

Status WorkerPool::ensure_running(Slot& slot) {
  if (slot.connection && slot.connection->alive()) return {};
  slot.connection.reset();
  KGEN_TRY(WorkerConnection connection, WorkerConnection::start(slot.options));
  const core::DeviceFacts& device = connection.hello().device;
  if (slot.device && (slot.device->name != device.name || slot.device->arch != device.arch))
    return fail(ErrorKind::missing,
                "a worker started again found " + device.name + " (" + device.arch + ") in place of " +
                    slot.device->name + " (" + slot.device->arch + ")",
                "times of two devices cannot be compared; start a new run or name the device with --device");
  slot.device = device;
  slot.connection = std::move(connection);
  return {};
}

Result<core::HelloReply> WorkerPool::hello() {
  Lease lease(*this);
  KGEN_CHECK(ensure_running(lease.slot()));
  return lease.slot().connection->hello();
}

Result<std::vector<core::HelloReply>> WorkerPool::hello_all() {
  std::vector<core::HelloReply> replies;
  for (Slot& slot : slots_) {  // before any search: no lease is held
    KGEN_CHECK(ensure_running(slot));
    replies.push_back(slot.connection->hello());
    const core::DeviceFacts &device = replies.back().device, &first = replies.front().device;
    if (device.name != first.name || device.arch != first.arch)
      return fail(ErrorKind::missing,
                  "the workers have different devices: " + first.name + " (" + first.arch + ") and " +
                      device.name + " (" + device.arch + ")",
                  "times of two devices cannot be compared; make one batch for each");
  }
  return replies;
}

template <class Reply, class Request>
Result<Reply> WorkerPool::on_a_worker(Call<Reply, Request> call, const Request& request,
                                      const EvaluationCallbacks& callbacks) {
  Lease lease(*this);
  KGEN_CHECK(ensure_running(lease.slot()));
  return (*lease.slot().connection.*call)(request, callbacks);
}

Result<core::Evaluation> WorkerPool::evaluate(const core::EvaluateRequest& request,
                                              const EvaluationCallbacks& callbacks) {
  return on_a_worker(&WorkerConnection::evaluate, request, callbacks);
}

Result<core::BaselineReply> WorkerPool::baseline(const core::BaselineRequest& request,
                                                 const EvaluationCallbacks& callbacks) {
  return on_a_worker(&WorkerConnection::baseline, request, callbacks);
}

Result<core::SweepReply> WorkerPool::sweep(const core::SweepRequest& request,
                                           const EvaluationCallbacks& callbacks) {
  return on_a_worker(&WorkerConnection::sweep, request, callbacks);
}

Result<core::BuildReply> WorkerPool::build(const core::BuildRequest& request,
                                           const EvaluationCallbacks& callbacks) {
  return on_a_worker(&WorkerConnection::build, request, callbacks);
}

Result<core::SampleReply> WorkerPool::sample(const core::SampleRequest& request,
                                             const EvaluationCallbacks& callbacks) {
  return on_a_worker(&WorkerConnection::sample, request, callbacks);
}

Result<core::ProofReply> WorkerPool::prove(const core::ProofRequest& request,
                                           const EvaluationCallbacks& callbacks) {
  return on_a_worker(&WorkerConnection::prove, request, callbacks);
}

Status WorkerPool::restart() {
  Lease lease(*this);
  if (lease.slot().connection) lease.slot().connection->shutdown();
  return ensure_running(lease.slot());
}

std::vector<std::string> reference_mismatches(const core::HelloReply& hello,
                                              const std::map<std::string, std::string>& references) {
  std::vector<std::string> problems;
  for (const auto& [op, hash] : references) {
    const auto theirs = hello.references.find(op);
    if (theirs != hello.references.end() && theirs->second != hash)
      problems.push_back("the worker's CPU reference of " + op + " (" + theirs->second +
                         ") is another than this kgen's (" + hash +
                         "); install the same release on both sides");
  }
  return problems;
}

}  // namespace kgen::judge
