#include "judge/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "util/terminal.hpp"
#include "util/text.hpp"

namespace kgen::judge {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kSlice{100};       // how often `cancelled` is asked
constexpr milliseconds kGrace{2000};      // for a worker that closed its output to be gone
constexpr std::size_t kTailBytes = 4096;  // of stderr
constexpr int kTailLines = 12;

std::string seconds_text(milliseconds time) {
  std::string text = std::to_string(static_cast<double>(time.count()) / 1000.0);
  text.erase(text.find('.') + 2);
  return text;
}

/// The last kTailLines lines of `text`, each indented, safe to print.
std::string last_lines(const std::string& text) {
  std::size_t begin = text.size();
  for (int lines = 0; begin > 0; --begin)
    if (text[begin - 1] == '\n' && begin != text.size() && ++lines == kTailLines) break;
  std::string indented = "\n  ";
  for (const char c : util::printable(std::string_view(text).substr(begin)))
    indented += c == '\n' ? "\n  " : std::string(1, c);
  while (!indented.empty() && (indented.back() == ' ' || indented.back() == '\n')) indented.pop_back();
  return indented;
}

}  // namespace

WorkerProcess::WorkerProcess(util::Process process, util::LineChannel channel, int stderr_fd,
                             std::string command_text)
    : process_(std::move(process)),
      channel_(std::move(channel)),
      stderr_fd_(stderr_fd),
      command_text_(std::move(command_text)) {}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : process_(std::move(other.process_)),
      channel_(std::move(other.channel_)),
      stderr_fd_(std::exchange(other.stderr_fd_, -1)),
      command_text_(std::move(other.command_text_)),
      stderr_tail_(std::move(other.stderr_tail_)) {}

WorkerProcess& WorkerProcess::operator=(WorkerProcess&& other) noexcept {
  process_ = std::move(other.process_);
  channel_ = std::move(other.channel_);
  std::swap(stderr_fd_, other.stderr_fd_);
  command_text_ = std::move(other.command_text_);
  stderr_tail_ = std::move(other.stderr_tail_);
  return *this;
}

WorkerProcess::~WorkerProcess() {
  if (stderr_fd_ >= 0) close(stderr_fd_);
}

Result<WorkerProcess> WorkerProcess::start(const std::vector<std::string>& command) {
  KGEN_TRY(const auto sockets, util::socket_pair());
  util::LineChannel channel(sockets.first, sockets.first);
  int pipe_fds[2];
  if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
    close(sockets.second);
    return fail(ErrorKind::internal, std::string("pipe: ") + std::strerror(errno));
  }
  fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK);
  util::SpawnOptions options;
  options.argv = command;
  options.fds = {{0, sockets.second}, {1, sockets.second}, {2, pipe_fds[1]}};
  auto process = util::Process::spawn(options);
  close(sockets.second);
  close(pipe_fds[1]);
  if (!process) {
    close(pipe_fds[0]);
    return fail(ErrorKind::missing,
                "worker '" + util::join(command, " ") + "' cannot be started: " + process.error().message,
                "check the command given with --worker");
  }
  return WorkerProcess(std::move(*process), std::move(channel), pipe_fds[0], util::join(command, " "));
}

Status WorkerProcess::write_line(std::string_view line) {
  if (!channel_.is_open()) return fail(ErrorKind::missing, "worker '" + command_text_ + "' is not running");
  if (channel_.write_line(line)) return {};
  return ended();
}

Result<std::string> WorkerProcess::read_line(milliseconds limit, const std::function<bool()>& cancelled) {
  if (!channel_.is_open()) return fail(ErrorKind::missing, "worker '" + command_text_ + "' is not running");
  const auto deadline = Clock::now() + limit;
  std::string line;
  while (true) {
    if (cancelled && cancelled()) {
      kill();
      return fail(ErrorKind::interrupted, "interrupted while the worker was busy");
    }
    if (!channel_.has_buffered_line()) {
      const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return failure("said nothing for " + seconds_text(limit) + " s and was ended");
      wait_readable(std::min(left, kSlice));
      drain_stderr();
    }
    switch (channel_.read_line(line, milliseconds(0))) {
      case util::LineChannel::ReadStatus::line:
        return line;
      case util::LineChannel::ReadStatus::timeout:
        break;
      case util::LineChannel::ReadStatus::closed:
        return ended();
      case util::LineChannel::ReadStatus::too_long:
        return failure("sent a line of more than " + std::to_string(util::LineChannel::max_line_bytes >> 20) +
                       " MiB");
    }
  }
}

void WorkerProcess::wait_readable(milliseconds limit) {
  pollfd fds[2] = {{channel_.read_fd(), POLLIN, 0}, {stderr_fd_, POLLIN, 0}};
  poll(fds, 2,
       static_cast<int>(limit.count()));  // a negative descriptor is passed over; EINTR is a short wait
}

void WorkerProcess::drain_stderr() {
  char buffer[4096];
  while (stderr_fd_ >= 0) {
    const ssize_t got = read(stderr_fd_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got <= 0) {
      close(std::exchange(stderr_fd_, -1));
      return;
    }
    stderr_tail_.append(buffer, static_cast<std::size_t>(got));
    if (stderr_tail_.size() > 2 * kTailBytes) stderr_tail_.erase(0, stderr_tail_.size() - kTailBytes);
  }
}

void WorkerProcess::kill() {
  process_.kill_group(SIGKILL);
  channel_ = util::LineChannel();
}

void WorkerProcess::stop(milliseconds limit) {
  channel_ = util::LineChannel();
  if (!process_.wait_for(limit)) kill();
}

tl::unexpected<Error> WorkerProcess::ended() {
  const auto status = process_.wait_for(kGrace);
  return failure(status ? "ended with " + status->text() : "closed its output and was ended");
}

tl::unexpected<Error> WorkerProcess::failure(const std::string& problem) {
  kill();
  drain_stderr();
  const std::string said = stderr_tail_.empty() ? "" : "; its last words:" + last_lines(stderr_tail_);
  return fail(ErrorKind::missing, "worker '" + command_text_ + "' " + problem + said);
}

}  // namespace kgen::judge
