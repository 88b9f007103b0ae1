// FolderLock and TemporaryFolder.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "util/file.hpp"

namespace kgen::util {
namespace {

constexpr std::string_view kRandom = "XXXXXX";  ///< what mkdtemp replaces

/// "process 123 on host" of this process: what a lock file holds.
std::string this_process() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return "process " + std::to_string(::getpid()) + (host[0] != '\0' ? " on " + std::string(host) : "");
}

/// Younger ones may not be locked yet.
constexpr std::chrono::minutes kLeastAge{1};

/// A process that was killed a moment ago may have left a child that has the lock until its exec.
constexpr std::chrono::milliseconds kLockPatience{500}, kLockPause{10};

/// 0: locked; else errno, EWOULDBLOCK where another process has it and keeps it.
int lock_patiently(int fd) {
  const auto end = std::chrono::steady_clock::now() + kLockPatience;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() >= end) return errno;
    std::this_thread::sleep_for(kLockPause);
  }
  return 0;
}

/// The folder, locked for as long as the descriptor is open; not open where somebody else holds it.
FileDescriptor lock_of(const std::filesystem::path& folder) {
  FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return fd.is_open() && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(fd) : FileDescriptor();
}

bool is_own_and_old(const std::filesystem::path& folder) {
  struct stat status = {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid())
    return false;
  const auto changed = std::chrono::system_clock::from_time_t(status.st_mtime);
  return std::chrono::system_clock::now() - changed > kLeastAge;
}

/// Removes folders of that prefix whose processes ended without doing so.
void remove_forgotten(const std::filesystem::path& parent, std::string_view prefix) {
  std::error_code ignored;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry(parent, ignored); !ignored && entry != end;
       entry.increment(ignored)) {
    const std::filesystem::path path = entry->path();
    const std::string name = path.filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kRandom.size()) continue;
    if (!is_own_and_old(path)) continue;
    std::error_code partly;
    if (const FileDescriptor lock = lock_of(path); lock.is_open()) std::filesystem::remove_all(path, partly);
  }
}

}  // namespace

FolderLock::FolderLock(FileDescriptor fd) : fd_(std::move(fd)) {}

Result<FolderLock> FolderLock::acquire(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / ".lock";
  FileDescriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd.is_open()) return write_failure("lock", path, errno);
  const int error = lock_patiently(fd.get());
  if (error != 0 && error != EWOULDBLOCK) return write_failure("lock", path, error);
  if (error != 0) {
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

TemporaryFolder::TemporaryFolder(std::filesystem::path path)
    : path_(std::move(path)), lock_(lock_of(path_)) {}

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix) {
  const char* variable = std::getenv("TMPDIR");
  const std::filesystem::path parent = variable != nullptr && *variable != '\0' ? variable : "/tmp";
  remove_forgotten(parent, prefix);
  std::string name = (parent / (std::string(prefix) + std::string(kRandom))).string();
  if (::mkdtemp(name.data()) == nullptr) return write_failure("make a temporary folder in", parent, errno);
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace kgen::util
