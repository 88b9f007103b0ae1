// FolderLock and TemporaryFolder.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "util/file.hpp"

namespace kgen::util {
namespace {

/// "process 123 on host" of this process: what a lock file holds.
std::string this_process() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return "process " + std::to_string(::getpid()) + (host[0] != '\0' ? " on " + std::string(host) : "");
}

}  // namespace

FolderLock::FolderLock(FileDescriptor fd) : fd_(std::move(fd)) {}

Result<FolderLock> FolderLock::acquire(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / ".lock";
  FileDescriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd.is_open()) return write_failure("lock", path, errno);
  int outcome = 0;
  do outcome = ::flock(fd.get(), LOCK_EX | LOCK_NB);
  while (outcome != 0 && errno == EINTR);
  if (outcome != 0 && errno != EWOULDBLOCK) return write_failure("lock", path, errno);
  if (outcome != 0) {
    const Result<std::string> owner = read_file(path, 1024);
    return fail(ErrorKind::bad_input,
                folder.string() + " is in use by " +
                    (owner && !owner->empty() ? *owner : std::string("another process")),
                "wait for it to end, or stop it");
  }
  // The text is for the message above only; the lock itself does not depend on it.
  if (::ftruncate(fd.get(), 0) != 0 || write_all(fd.get(), this_process()) != 0)
    return write_failure("write", path, errno);
  return FolderLock(std::move(fd));
}

TemporaryFolder::TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix) {
  const char* variable = std::getenv("TMPDIR");
  const std::filesystem::path parent = variable != nullptr && *variable != '\0' ? variable : "/tmp";
  std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return write_failure("make a temporary folder in", parent, errno);
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace kgen::util
