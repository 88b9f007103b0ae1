#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "util/error.hpp"
#include "util/file_descriptor.hpp"

namespace kgen::util {

/// How a child process is started. It leads a process group of its own, so that it can be killed with all it
/// started.
struct SpawnOptions {
  std::vector<std::string> argv;                 ///< argv[0] is looked up in $PATH
  std::map<std::string, std::string> extra_env;  ///< added to (or replacing) this process's environment
  std::vector<std::string> unset_env;            ///< removed from it
  /// Descriptor in the child -> descriptor here (dup2 in the child). 0, 1, 2 default to this process's own.
  /// Every other descriptor of this process is closed in the child.
  std::map<int, int> fds;
  bool die_with_parent =
      true;            ///< PR_SET_PDEATHSIG SIGKILL: it ends when this process ends, however that happens
  std::string folder;  ///< working folder; empty: this process's
};

struct ExitStatus {
  int code = -1;   ///< exit code; -1 where a signal ended it
  int signal = 0;  ///< the signal, or 0
  bool ok() const { return code == 0 && signal == 0; }
  std::string text() const;  ///< "exit code 3", "signal 11 (SIGSEGV)"
};

/// A running child process; the destructor kills its group and reaps it. When the child has ended by itself,
/// what is left of its group is killed as it is reaped. Not for use by several threads at once.
class Process {
 public:
  /// Errors: missing where there is no such program or folder, or no process can be made.
  static Result<Process> spawn(const SpawnOptions& options);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  pid_t pid() const { return pid_; }
  bool running();
  /// Waits at most `limit`; nothing if it still runs then.
  std::optional<ExitStatus> wait_for(std::chrono::milliseconds limit);
  ExitStatus wait();
  /// Sends `signal` to the child and all of its group. SIGKILL: also waits for the end and reaps it.
  void kill_group(int signal);

 private:
  explicit Process(pid_t pid);
  pid_t pid_ = -1;
  std::optional<ExitStatus> status_;
};

/// Output of a command run to its end.
struct CommandOutput {
  ExitStatus status;
  std::string out;
  std::string err;
  bool timed_out = false;
  bool cancelled = false;
};

/// Runs `options` to its end with `input` on its stdin; stdout and stderr are captured (each cut at
/// max_bytes). `cancelled` is polled every 50 ms; the child's group is killed at the limit or when it returns
/// true.
Result<CommandOutput> run_command(SpawnOptions options, std::string_view input,
                                  std::chrono::milliseconds limit, std::function<bool()> cancelled = {},
                                  std::size_t max_bytes = 16u << 20);

/// Lines of text to and from a peer, over one descriptor (a socketpair's end) or two (pipes). Owns them.
class LineChannel {
 public:
  enum class ReadStatus { line, timeout, closed, too_long };
  LineChannel() = default;
  LineChannel(int read_fd, int write_fd);

  /// Writes line and '\n'. Errors: missing where the other side is gone (no SIGPIPE is raised) or has read
  /// nothing for 60 s. A newline in `line` is a bug: throws.
  Status write_line(std::string_view line);
  /// Waits at most `limit` for one line (without its newline). A line over max_line_bytes gives too_long once
  /// and is dropped; an unfinished line before the end of the stream is dropped too.
  ReadStatus read_line(std::string& line, std::chrono::milliseconds limit);
  /// False once the other side has closed (lines already read into memory may still wait).
  bool is_open() const { return read_.is_open() && !ended_; }
  int read_fd() const { return read_.get(); }
  /// A complete line already read into memory waits (poll the descriptor only where this is false).
  bool has_buffered_line() const;
  static constexpr std::size_t max_line_bytes = std::size_t{64} << 20;

 private:
  std::optional<ReadStatus> take_buffered(std::string& line);

  FileDescriptor read_;
  FileDescriptor write_;
  bool one_descriptor_ = false;  ///< read_ is written to as well
  bool ended_ = false;
  bool skipping_ = false;  ///< the rest of a line that was too long is being dropped
  std::string buffer_;     ///< [begin_, size) is unread; [begin_, searched_) holds no newline
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;
};

/// A pair of connected stream sockets, close-on-exec. Errors: internal.
Result<std::pair<int, int>> socket_pair();

}  // namespace kgen::util
