#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "util/file_descriptor.hpp"
#include "util/subprocess.hpp"
#include "util/wait_time.hpp"

namespace kgen::util {
namespace {

/// How long a killed process may take to go; one stuck in a driver call is then left behind.
constexpr std::chrono::seconds kKillLimit{30};

bool has_exited(pid_t pid) {
  siginfo_t info{};
  // WNOWAIT: it stays a zombie, so that its group's number cannot come to belong to another process.
  const int outcome = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return outcome != 0 ? errno == ECHILD : info.si_pid == pid;
}

bool exits_within(pid_t pid, std::chrono::milliseconds limit) {
  const Deadline deadline(limit);
  if (has_exited(pid)) return true;
  const FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  while (!deadline.passed()) {
    pollfd ready{handle.get(), POLLIN, 0};
    if (handle.is_open())
      ::poll(&ready, 1, deadline.poll_timeout());
    else
      ::poll(nullptr, 0, std::min(deadline.poll_timeout(), 2));  // a kernel without pidfd
    if (has_exited(pid)) return true;
  }
  return false;
}

ExitStatus reap(pid_t pid) {
  int raw = 0;
  pid_t reaped = -1;
  do reaped = ::waitpid(pid, &raw, 0);
  while (reaped < 0 && errno == EINTR);
  ExitStatus status;
  if (reaped == pid && WIFEXITED(raw)) status.code = WEXITSTATUS(raw);
  if (reaped == pid && WIFSIGNALED(raw)) status.signal = WTERMSIG(raw);
  return status;
}

}  // namespace

std::string ExitStatus::text() const {
  if (signal == 0) return "exit code " + std::to_string(code);
  const char* name = ::sigabbrev_np(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? " (SIG" + std::string(name) + ")" : "");
}

Process::Process(pid_t pid) : pid_(pid) {}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), status_(std::exchange(other.status_, std::nullopt)) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(status_, other.status_);
  return *this;
}

Process::~Process() {
  if (pid_ > 0 && !status_) kill_group(SIGKILL);
}

bool Process::running() {
  return pid_ > 0 && !wait_for(std::chrono::milliseconds(0));
}

std::optional<ExitStatus> Process::wait_for(std::chrono::milliseconds limit) {
  if (status_ || pid_ <= 0) return status_;
  if (!exits_within(pid_, limit)) return std::nullopt;
  ::kill(-pid_, SIGKILL);  // what it left running
  status_ = reap(pid_);
  return status_;
}

ExitStatus Process::wait() {
  while (pid_ > 0 && !wait_for(std::chrono::hours(1))) {
  }
  return status_.value_or(ExitStatus{});
}

void Process::kill_group(int signal) {
  if (pid_ <= 0 || status_) return;  // reaped: the number may be another's by now
  ::kill(-pid_, signal);
  wait_for(signal == SIGKILL ? std::chrono::milliseconds(kKillLimit) : std::chrono::milliseconds(0));
}

Result<std::pair<int, int>> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorKind::internal, "cannot make a socket pair: " + system_reason(errno));
  return std::pair(ends[0], ends[1]);
}

}  // namespace kgen::util
