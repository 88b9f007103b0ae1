#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "util/file_descriptor.hpp"
#include "util/subprocess.hpp"
#include "util/wait_time.hpp"

namespace kgen::util {
namespace {

constexpr int kStepMs = 50;  // how often `cancelled` is asked

struct Pipe {
  FileDescriptor reader;
  FileDescriptor writer;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorKind::missing, "cannot make a pipe: " + system_reason(errno),
                "raise the limit of open files (ulimit -n)");
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void never_block(const FileDescriptor& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

/// One captured stream: reads what is there; what is over the limit is read and dropped.
class Capture {
 public:
  Capture(FileDescriptor fd, std::string& text, std::size_t max_bytes)
      : fd_(std::move(fd)), text_(text), max_bytes_(max_bytes) {
    never_block(fd_);
  }

  int fd() const { return fd_.get(); }
  bool is_open() const { return fd_.is_open(); }

  /// Reads once. False where nothing is there (now, or for ever).
  bool read_some() {
    if (!fd_.is_open()) return false;
    std::array<char, std::size_t{64} << 10> block;
    const ssize_t count = ::read(fd_.get(), block.data(), block.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return false;
    if (count <= 0) {
      fd_.reset();
      return false;
    }
    text_.append(block.data(), std::min(static_cast<std::size_t>(count), max_bytes_ - text_.size()));
    return true;
  }

  /// Takes what a process that has ended left in the pipe. Bounded: one that outlives it may go on writing.
  void read_rest() {
    for (int reads = 0; reads < 64 && read_some(); ++reads) {
    }
  }

 private:
  FileDescriptor fd_;
  std::string& text_;
  std::size_t max_bytes_;
};

/// Feeds the child's stdin as fast as it reads; ends with its text or with the child's interest.
class Feed {
 public:
  Feed(FileDescriptor fd, std::string_view text) : fd_(std::move(fd)), text_(text) {
    never_block(fd_);
    if (text_.empty()) fd_.reset();
  }

  int fd() const { return fd_.get(); }

  void write_some() {
    if (!fd_.is_open()) return;
    const ssize_t count = write_quietly(fd_.get(), text_);
    if (count > 0) text_.remove_prefix(static_cast<std::size_t>(count));
    if (text_.empty() || (count < 0 && errno != EAGAIN && errno != EINTR)) fd_.reset();
  }

 private:
  FileDescriptor fd_;
  std::string_view text_;
};

void exchange(Feed& feed, Capture& out, Capture& err, int timeout_ms) {
  // poll() skips the negative numbers of closed descriptors.
  std::array<pollfd, 3> ready{{{feed.fd(), POLLOUT, 0}, {out.fd(), POLLIN, 0}, {err.fd(), POLLIN, 0}}};
  if (::poll(ready.data(), ready.size(), timeout_ms) <= 0) return;
  if (ready[0].revents != 0) feed.write_some();
  if (ready[1].revents != 0) out.read_some();
  if (ready[2].revents != 0) err.read_some();
}

}  // namespace

Result<CommandOutput> run_command(SpawnOptions options, std::string_view input,
                                  std::chrono::milliseconds limit, std::function<bool()> cancelled,
                                  std::size_t max_bytes) {
  KGEN_TRY(Pipe input_pipe, make_pipe());
  KGEN_TRY(Pipe out_pipe, make_pipe());
  KGEN_TRY(Pipe err_pipe, make_pipe());
  options.fds[0] = input_pipe.reader.get();
  options.fds[1] = out_pipe.writer.get();
  options.fds[2] = err_pipe.writer.get();
  const Deadline deadline(limit);
  KGEN_TRY(Process process, Process::spawn(options));
  input_pipe.reader.reset();
  out_pipe.writer.reset();
  err_pipe.writer.reset();

  CommandOutput output;
  Feed feed(std::move(input_pipe.writer), input);
  Capture out(std::move(out_pipe.reader), output.out, max_bytes);
  Capture err(std::move(err_pipe.reader), output.err, max_bytes);
  const auto give_up = [&] {
    output.timed_out = deadline.passed();
    output.cancelled = !output.timed_out && cancelled && cancelled();
    return output.timed_out || output.cancelled;
  };
  std::optional<ExitStatus> status;
  while (!status) {
    if (give_up()) {
      process.kill_group(SIGKILL);
      break;
    }
    const int step_ms = std::min(kStepMs, deadline.poll_timeout());
    const bool listening = out.is_open() || err.is_open();
    if (listening) exchange(feed, out, err, step_ms);
    status = process.wait_for(std::chrono::milliseconds(listening ? 0 : step_ms));
    if (!listening && !status) feed.write_some();
  }
  output.status = process.wait();
  out.read_rest();
  err.read_rest();
  return output;
}

}  // namespace kgen::util
