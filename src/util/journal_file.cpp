// AppendFile and read_lines: the two ends of an append-only journal.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "util/file.hpp"

namespace kgen::util {
namespace {

/// Size of `fd` up to and with its last newline, or -1 and errno. Reads backwards: journals can be long.
off_t complete_size(int fd) {
  off_t end = ::lseek(fd, 0, SEEK_END);
  std::array<char, 4096> block{};
  while (end > 0) {
    const off_t begin = end > static_cast<off_t>(block.size()) ? end - static_cast<off_t>(block.size()) : 0;
    const ssize_t count = ::pread(fd, block.data(), static_cast<std::size_t>(end - begin), begin);
    if (count < 0) return -1;
    const std::string_view text(block.data(), static_cast<std::size_t>(count));
    const std::size_t newline = text.rfind('\n');
    if (newline != std::string_view::npos) return begin + static_cast<off_t>(newline) + 1;
    end = begin;
  }
  return end;
}

/// Cuts a torn last line off. Returns 0, or the errno of what failed.
int cut_torn_line(int fd) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return errno;
  const off_t complete = complete_size(fd);
  if (complete < 0) return errno;
  if (complete == status.st_size) return 0;
  return ::ftruncate(fd, complete) == 0 && ::fsync(fd) == 0 ? 0 : errno;
}

}  // namespace

AppendFile::AppendFile(FileDescriptor fd, std::filesystem::path path)
    : fd_(std::move(fd)), path_(std::move(path)) {}

Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  KGEN_CHECK(make_parent_folder(path));
  FileDescriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!fd.is_open()) return write_failure("open", path, errno);
  if (const int error = cut_torn_line(fd.get())) return write_failure("repair the last line of", path, error);
  sync_parent_folder(path);
  return AppendFile(std::move(fd), path);
}

Status AppendFile::append_line(std::string_view line) {
  if (line.find('\n') != std::string_view::npos)
    throw std::invalid_argument("a journal line must not hold a newline: " + std::string(line.substr(0, 80)));
  const off_t before = ::lseek(fd_.get(), 0, SEEK_END);
  std::string text(line);
  text += '\n';
  int error = write_all(fd_.get(), text);
  if (error == 0 && ::fsync(fd_.get()) != 0) error = errno;
  if (error == 0) return {};
  // What a full disk let through must not stand in front of a later line.
  if (before >= 0 && ::ftruncate(fd_.get(), before) != 0) cut_torn_line(fd_.get());
  return write_failure("append to", path_, error);
}

Result<std::vector<std::string>> read_lines(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return std::vector<std::string>();
  KGEN_TRY(const std::string text, read_file(path));
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace kgen::util
