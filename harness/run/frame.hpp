#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "util/error.hpp"

namespace kgen::run {

/// One message between the judge and a run process: a JSON text and raw bytes (a cubin), each behind its
/// length as four little-endian bytes.
struct Frame {
  std::string json;
  std::string payload;
};

std::string encode_frame(const Frame& frame);

/// Puts frames together from whatever pieces arrive.
class FrameReader {
 public:
  explicit FrameReader(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  void feed(std::string_view bytes) { buffer_ += bytes; }
  /// The next whole frame, or nothing yet. Errors: internal, where a length is over max_bytes (the stream is
  /// then useless).
  Result<std::optional<Frame>> next();

 private:
  std::size_t max_bytes_;
  std::string buffer_;
};

/// Largest answer the judge takes from a run process, and largest request (a cubin of that size is none).
inline constexpr std::size_t kMaxAnswerBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxRequestBytes = std::size_t{1} << 30;

/// Reads one frame from a blocking descriptor; nothing where the other side closed it.
Result<std::optional<Frame>> read_frame(int fd, FrameReader& reader);
Status write_frame(int fd, const Frame& frame);

}  // namespace kgen::run
