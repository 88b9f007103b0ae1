#include "util/file_descriptor.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace kgen::util {
namespace {

std::string hint_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder you can write to";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return {};
  }
}

}  // namespace

void FileDescriptor::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

std::string system_reason(int error_number) {
  return std::generic_category().message(error_number);
}

tl::unexpected<Error> write_failure(std::string_view what, const std::filesystem::path& path,
                                    int error_number) {
  return fail(ErrorKind::missing,
              "cannot " + std::string(what) + " " + path.string() + ": " + system_reason(error_number),
              hint_for(error_number));
}

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

ssize_t write_quietly(int fd, std::string_view text) {
  const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  // A pipe knows no MSG_NOSIGNAL: the signal is held back in this thread and taken away again.
  sigset_t pipe_signal;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  ::sigpending(&pending);
  const ssize_t written = ::write(fd, text.data(), text.size());
  const int error = written < 0 ? errno : 0;
  const timespec at_once{0, 0};
  if (error == EPIPE && sigismember(&pending, SIGPIPE) == 0) ::sigtimedwait(&pipe_signal, nullptr, &at_once);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

void sync_parent_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.is_open()) ::fsync(fd.get());
}

Status make_parent_folder(const std::filesystem::path& path) {
  if (!path.has_parent_path()) return {};
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return write_failure("make the folder", path.parent_path(), error.value());
  return {};
}

}  // namespace kgen::util
