#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "harness/compile/compile_process.hpp"
#include "harness/compile/compile_request.hpp"
#include "harness/compile/result_cache.hpp"
#include "util/file.hpp"

namespace kgen::compile {

struct CompilePoolOptions {
  CompileProcessOptions process;
  int processes = 1;
  std::chrono::milliseconds time_limit{60'000};  ///< of one compile
  std::size_t cached_results = 128;
};

/// Compiles on several sandboxed processes at once. Any thread may use it. A compile that hangs, crashes or
/// runs out of memory costs its own process, which is replaced.
class CompilePool {
 public:
  /// Starts all processes and waits for one to be ready. Errors: missing (no NVRTC, no headers), saying where
  /// it looked.
  static Result<std::unique_ptr<CompilePool>> start(CompilePoolOptions options);
  ~CompilePool();
  CompilePool(const CompilePool&) = delete;
  CompilePool& operator=(const CompilePool&) = delete;

  std::future<CompileResult> submit(const CompileRequest& request);
  /// All at once; results in the order of the requests.
  std::vector<CompileResult> compile_all(const std::vector<CompileRequest>& requests);
  CompileResult compile(const CompileRequest& request) { return submit(request).get(); }

  const CompilerFacts& facts() const { return facts_; }

 private:
  struct Job {
    std::string request_line;
    std::promise<CompileResult> promise;
  };
  CompilePool(CompilePoolOptions options, util::TemporaryFolder folder);
  void run_slot(int index, CompileProcess* first);
  /// The next job, or nothing when the pool ends.
  std::optional<Job> next_job();

  CompilePoolOptions options_;
  util::TemporaryFolder folder_;
  CompilerFacts facts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  ResultCache cache_;
  std::atomic<bool> ending_ = false;
  std::vector<std::thread> slots_;
};

}  // namespace kgen::compile
