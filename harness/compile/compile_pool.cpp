#include "harness/compile/compile_pool.hpp"

#include <algorithm>
#include <utility>

#include "util/json.hpp"

namespace kgen::compile {

CompilePool::CompilePool(CompilePoolOptions options, util::TemporaryFolder folder)
    : options_(std::move(options)), folder_(std::move(folder)), cache_(options_.cached_results) {}

Result<std::unique_ptr<CompilePool>> CompilePool::start(CompilePoolOptions options) {
  KGEN_TRY(util::TemporaryFolder folder, util::TemporaryFolder::create("kgen-compile"));
  std::unique_ptr<CompilePool> pool(new CompilePool(std::move(options), std::move(folder)));
  KGEN_TRY(CompileProcess first,
           CompileProcess::start(pool->options_.process, pool->folder_.path() / "0", [] { return false; }));
  pool->facts_ = first.facts();
  auto process = std::make_shared<CompileProcess>(std::move(first));
  for (int i = 0; i < std::max(1, pool->options_.processes); ++i) {
    pool->slots_.emplace_back(
        [raw = pool.get(), i, process] { raw->run_slot(i, i == 0 ? process.get() : nullptr); });
  }
  return pool;
}

CompilePool::~CompilePool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& slot : slots_) slot.join();
}

std::future<CompileResult> CompilePool::submit(const CompileRequest& request) {
  Job job{to_json(request).dump(), {}};
  std::future<CompileResult> future = job.promise.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (std::optional<CompileResult> known = cache_.find(job.request_line)) {
      job.promise.set_value(*std::move(known));
      return future;
    }
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
  return future;
}

std::vector<CompileResult> CompilePool::compile_all(const std::vector<CompileRequest>& requests) {
  std::vector<std::future<CompileResult>> futures;
  for (const CompileRequest& request : requests) futures.push_back(submit(request));
  std::vector<CompileResult> results;
  for (std::future<CompileResult>& future : futures) results.push_back(future.get());
  return results;
}

std::optional<CompilePool::Job> CompilePool::next_job() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
  if (ending_) return std::nullopt;
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  return job;
}

void CompilePool::run_slot(int index, CompileProcess* first) {
  std::optional<CompileProcess> process;
  if (first != nullptr) process = std::move(*first);
  const auto cancelled = [&] { return ending_.load(); };
  const auto start_process = [&]() -> Status {
    if (process && process->usable()) return {};
    process.reset();
    KGEN_TRY(process,
             CompileProcess::start(options_.process, folder_.path() / std::to_string(index), cancelled));
    return {};
  };
  (void)start_process();  // ahead of the first job; where it fails, the job says so
  while (std::optional<Job> job = next_job()) {
    CompileResult result;
    if (const Status started = start_process(); started) {
      result = process->compile(job->request_line, options_.time_limit, cancelled);
    } else {
      result.failure = CompileFailure::unavailable;
      result.message = started.error().text();
    }
    {
      const std::lock_guard lock(mutex_);
      cache_.keep(job->request_line, result);
    }
    job->promise.set_value(std::move(result));
    (void)start_process();
  }
}

}  // namespace kgen::compile
