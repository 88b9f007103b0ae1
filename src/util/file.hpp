#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "util/error.hpp"
#include "util/file_descriptor.hpp"

namespace kgen::util {

/// Whole content of a file. Errors: bad_input naming the path and the system's reason.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::size_t max_bytes = std::size_t{1} << 30);

/// Writes `text` whole: temporary file in the same folder, fsync, rename, fsync of the folder. Missing
/// folders are made. Devices and pipes (/dev/null, /dev/stdout) are written straight. Errors: missing (no
/// space, no permission, not a directory), with the path and the system's reason.
Status write_file_atomic(const std::filesystem::path& path, std::string_view text);

/// Appends `line` and a newline in one write to an open journal and fsyncs it. A torn last line (left by a
/// crash) is cut off when the file is opened.
class AppendFile {
 public:
  static Result<AppendFile> open(const std::filesystem::path& path);
  /// Errors: missing (disk full, ...), with nothing of the line left in the file. A newline in `line` is a
  /// bug: throws.
  Status append_line(std::string_view line);

 private:
  AppendFile(FileDescriptor fd, std::filesystem::path path);
  FileDescriptor fd_;
  std::filesystem::path path_;
};

/// Complete lines of a journal; a torn last line is left out. A file that does not exist has none.
Result<std::vector<std::string>> read_lines(const std::filesystem::path& path);

/// An exclusive lock on a folder for one writer (flock on FOLDER/.lock), released by the destructor or the
/// process's end.
class FolderLock {
 public:
  /// Errors: bad_input "FOLDER is in use by process N on HOST" where another holds it; missing where the
  /// folder cannot be written.
  static Result<FolderLock> acquire(const std::filesystem::path& folder);

 private:
  explicit FolderLock(FileDescriptor fd);
  FileDescriptor fd_;
};

/// A folder under $TMPDIR (or /tmp) that goes away with this object. Where the process is killed before that,
/// the next that makes one of the same prefix removes it: a living one is locked (flock).
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path);
  std::filesystem::path path_;
  FileDescriptor lock_;
};

/// 64-bit FNV-1a of `text` as 16 hex digits: tells whether two texts are the same; no security.
std::string content_hash(std::string_view text);

/// Path of the running program's own folder (/proc/self/exe).
std::filesystem::path program_folder();

/// First executable named `name` in $PATH.
std::optional<std::filesystem::path> find_program(std::string_view name);

}  // namespace kgen::util
