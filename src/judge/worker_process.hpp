#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "util/error.hpp"
#include "util/subprocess.hpp"

namespace kgen::judge {

/// A running worker command: lines to its stdin, lines from its stdout, the last lines of its stderr kept for
/// messages.
class WorkerProcess {
 public:
  static Result<WorkerProcess> start(const std::vector<std::string>& command);
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&& other) noexcept;
  ~WorkerProcess();

  /// Errors: missing where the worker has ended, saying how and with its last stderr lines.
  Status write_line(std::string_view line);
  /// One line within `limit`. Errors: missing for silence, an end of the worker and a line that is too long;
  /// interrupted as soon as `cancelled` returns true (asked ten times a second).
  Result<std::string> read_line(std::chrono::milliseconds limit, const std::function<bool()>& cancelled);

  void kill();
  /// Lets the worker end by itself within `limit` (its stdin is closed first), then kills it.
  void stop(std::chrono::milliseconds limit);
  const std::string& command_text() const { return command_text_; }
  /// `problem`, in words, followed by the worker's last stderr lines. A worker spent in this way is killed.
  tl::unexpected<Error> failure(const std::string& problem);

 private:
  WorkerProcess(util::Process process, util::LineChannel channel, int stderr_fd, std::string command_text);
  void wait_readable(std::chrono::milliseconds limit);
  void drain_stderr();
  tl::unexpected<Error> ended();

  util::Process process_;
  util::LineChannel channel_;
  int stderr_fd_ = -1;
  std::string command_text_;
  std::string stderr_tail_;
};

}  // namespace kgen::judge
