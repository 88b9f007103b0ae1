#pragma once

#include <memory>

#include "config/config.hpp"
#include "core/protocol.hpp"
#include "judge/worker_pool.hpp"

namespace kgen::cli {

/// A worker, or several with the same device, that have said hello.
struct RunningWorker {
  std::unique_ptr<judge::WorkerPool> pool;
  core::HelloReply hello;
};

/// Starts the configured worker. Warnings (another version, references that differ) go to stderr.
/// Errors: bad_input for a device that does not parse; missing where there is no worker or no such device.
Result<RunningWorker> start_worker(const config::Config& config);
/// One worker for each of `workers` on each of `devices`. Errors: also missing where they find different
/// devices.
Result<RunningWorker> start_workers(const config::Config& config, const std::vector<std::string>& workers,
                                    const std::vector<std::string>& devices);

}  // namespace kgen::cli
