#pragma once

#include <string>

#include "util/file_descriptor.hpp"

namespace kgen::run {

/// A pipe for what a child writes to its stdout and stderr. The first 64 KiB are kept, the rest is read and
/// dropped, so that the child never waits for room.
class CapturedOutput {
 public:
  static Result<CapturedOutput> create();
  int fd() const { return reader_.get(); }
  int writer() const { return writer_.get(); }  ///< for the child
  void close_writer() { writer_.reset(); }
  /// Reads what there is, without waiting.
  void drain();
  const std::string& text() const { return text_; }
  static constexpr std::size_t kKeptBytes = std::size_t{64} << 10;

 private:
  util::FileDescriptor reader_, writer_;
  std::string text_;
};

}  // namespace kgen::run
