#include "cli/worker_setup.hpp"

#include <cmath>

#include "cli/version.hpp"
#include "judge/worker_command.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/interrupt.hpp"
#include "util/log.hpp"

namespace kgen::cli {
namespace {

Status check_device_name(const std::string& device) {
  const bool is_cuda = device.starts_with("cuda:") && device.size() > 5 && device.size() < 9 &&
                       device.find_first_not_of("0123456789", 5) == std::string::npos;
  if (is_cuda || device == "auto" || device == "emulator" || device == "none") return {};
  return fail(ErrorKind::bad_input, "unknown device '" + device + "'",
              "--device takes auto, cuda:N, emulator or none");
}

/// Warns where the worker is of another release than this program.
Status compare_releases(const core::HelloReply& hello) {
  if (hello.worker_version != kVersion)
    util::log(util::LogLevel::warning,
              "the worker is version " + hello.worker_version + ", this kgen is " + kVersion);
  for (const std::string& problem : judge::reference_mismatches(hello, reference_ops::builtin_op_hashes()))
    util::log(util::LogLevel::warning, problem);
  return {};
}

Result<judge::WorkerOptions> worker_options(const config::Config& config, const std::string& worker,
                                            const std::string& device) {
  KGEN_CHECK(check_device_name(device));
  judge::WorkerOptions options;
  KGEN_TRY(options.command, judge::worker_command(worker));
  options.hello = {device, config.arch, config.python, static_cast<int>(config.compile_jobs)};
  options.silence_limit = std::chrono::milliseconds(std::llround(config.worker_timeout_s * 1000));
  options.cancelled = util::interrupted;
  return options;
}

}  // namespace

Result<RunningWorker> start_worker(const config::Config& config) {
  return start_workers(config, {config.worker}, {config.device});
}

Result<RunningWorker> start_workers(const config::Config& config, const std::vector<std::string>& workers,
                                    const std::vector<std::string>& devices) {
  std::vector<judge::WorkerOptions> all;
  for (const std::string& worker : workers) {
    for (const std::string& device : devices) {
      KGEN_TRY(auto options, worker_options(config, worker, device));
      all.push_back(std::move(options));
    }
  }
  RunningWorker running;
  running.pool = std::make_unique<judge::WorkerPool>(std::move(all));
  KGEN_TRY(const std::vector<core::HelloReply> replies, running.pool->hello_all());
  for (const core::HelloReply& hello : replies) KGEN_CHECK(compare_releases(hello));
  running.hello = replies.front();
  return running;
}

}  // namespace kgen::cli
