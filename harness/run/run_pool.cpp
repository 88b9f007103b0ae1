#include "harness/run/run_pool.hpp"

#include <algorithm>

#include "util/clock.hpp"

namespace kgen::run {
namespace {

constexpr double kNoticeableMs = 20;  ///< a process that is up is there at once

}  // namespace

Result<RunPool> RunPool::create(RunOptions options, int ahead) {
  RunPool pool(std::move(options), ahead);
  KGEN_CHECK(pool.refill());
  return pool;
}

Status RunPool::refill() {
  while (std::ssize(waiting_) < ahead_) KGEN_CHECK(start_one());
  return {};
}

Status RunPool::start_one() {
  KGEN_TRY(auto process, RunProcess::start(options_));
  waiting_.push_back(std::move(process));
  return {};
}

Result<RunReady> RunPool::next_ready() {
  if (waiting_.empty()) KGEN_CHECK(start_one());
  auto ready = waiting_.front().wait_ready();
  if (!ready) return fail(ErrorKind::missing, ready.error().message, "see `kgen doctor`");
  return *ready;
}

Result<RunProcess> RunPool::acquire() {
  const util::Stopwatch watch;
  if (waiting_.empty()) KGEN_CHECK(start_one());
  RunProcess process = std::move(waiting_.front());
  waiting_.pop_front();
  if (auto ready = process.wait_ready(); !ready) {
    return fail(ErrorKind::missing, ready.error().message, "see `kgen doctor`");
  }
  if (watch.elapsed_ms() > kNoticeableMs) ahead_ = std::min(ahead_ + 1, std::max(kMostAhead, at_first_));
  return process;
}

Status RunPool::settle() {
  ahead_ = at_first_;
  for (RunProcess& process : waiting_) {
    if (auto ready = process.wait_ready(); !ready)
      return fail(ErrorKind::missing, ready.error().message, "see `kgen doctor`");
  }
  return {};
}

}  // namespace kgen::run
