#include "util/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "util/file_descriptor.hpp"

namespace kgen::util {
namespace {

tl::unexpected<Error> read_failure(const std::filesystem::path& path, const std::string& reason) {
  return fail(ErrorKind::bad_input, "cannot read " + path.string() + ": " + reason);
}

std::filesystem::path temporary_name_for(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = path;
  name += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
  return name;
}

/// Writes and fsyncs a new file. Returns 0, or the errno of what failed.
int write_new_file(const std::filesystem::path& path, std::string_view text) {
  const FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd.is_open()) return errno;
  if (const int error = write_all(fd.get(), text)) return error;
  return ::fsync(fd.get()) == 0 ? 0 : errno;
}

/// True for what must never be renamed over: /dev/null, a terminal, a named pipe.
bool is_special(const std::filesystem::path& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Status write_special(const std::filesystem::path& path, std::string_view text) {
  const FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.is_open()) return write_failure("open", path, errno);
  if (const int error = write_all(fd.get(), text)) return write_failure("write", path, error);
  return {};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return read_failure(path, system_reason(errno));
  std::string text;
  struct stat status{};
  if (::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<std::uint64_t>(status.st_size) <= max_bytes)
    text.reserve(static_cast<std::size_t>(status.st_size));
  std::array<char, std::size_t{64} << 10> block{};
  while (true) {
    const ssize_t count = ::read(fd.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return read_failure(path, system_reason(errno));
    if (count == 0) return text;
    if (text.size() + static_cast<std::size_t>(count) > max_bytes)
      return read_failure(path, "it is larger than " + std::to_string(max_bytes) + " bytes");
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

Status write_file_atomic(const std::filesystem::path& path, std::string_view text) {
  KGEN_CHECK(make_parent_folder(path));
  if (is_special(path)) return write_special(path, text);
  const std::filesystem::path temporary = temporary_name_for(path);
  int error = write_new_file(temporary, text);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return write_failure("write", path, error);
  }
  sync_parent_folder(path);
  return {};
}

std::string content_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::string hex(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) hex[i] = "0123456789abcdef"[hash & 15];
  return hex;
}

std::filesystem::path program_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::optional<std::filesystem::path> find_program(std::string_view name) {
  const auto usable = [](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos)
    return usable(name) ? std::optional<std::filesystem::path>(name) : std::nullopt;
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::filesystem::path path = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (usable(path)) return path;
  }
  return std::nullopt;
}

}  // namespace kgen::util
