#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "util/error.hpp"

namespace kgen::util {

/// Owns one open descriptor and closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~FileDescriptor() { reset(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// Gives the descriptor away: the caller closes it.
  int release() { return std::exchange(fd_, -1); }
  /// Closes what it owns and takes over `fd`.
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

/// What the system says about an errno, such as "No space left on device".
std::string system_reason(int error_number);

/// The Error for a failed write, open-for-writing, rename... of `path`: kind missing, "cannot WHAT PATH:
/// REASON", and what to do about it.
tl::unexpected<Error> write_failure(std::string_view what, const std::filesystem::path& path,
                                    int error_number);

/// Writes all of `text`, going on after signals and short writes. Returns 0, or the errno of the write that
/// failed.
int write_all(int fd, std::string_view text);

/// write() that gives EPIPE instead of raising SIGPIPE, and never blocks on a socket (EAGAIN).
ssize_t write_quietly(int fd, std::string_view text);

/// fsync of the folder that holds `path`, so that a new name in it survives a crash. Folders that cannot be
/// synced (some network file systems) are left alone.
void sync_parent_folder(const std::filesystem::path& path);

/// Makes the folder of `path` and those above it. Errors: as write_failure.
Status make_parent_folder(const std::filesystem::path& path);

}  // namespace kgen::util
