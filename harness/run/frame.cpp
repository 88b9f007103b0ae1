#include "harness/run/frame.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "util/file_descriptor.hpp"

namespace kgen::run {
namespace {

constexpr std::size_t kHeaderBytes = 8;

void append_length(std::string& out, std::size_t length) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(length >> (8 * i) & 0xff);
}

std::size_t length_at(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::size_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return length;
}

}  // namespace

std::string encode_frame(const Frame& frame) {
  std::string out;
  out.reserve(kHeaderBytes + frame.json.size() + frame.payload.size());
  append_length(out, frame.json.size());
  append_length(out, frame.payload.size());
  return out + frame.json + frame.payload;
}

Result<std::optional<Frame>> FrameReader::next() {
  if (buffer_.size() < kHeaderBytes) return std::optional<Frame>{};
  const std::size_t json = length_at(buffer_), payload = length_at(std::string_view(buffer_).substr(4));
  if (json + payload > max_bytes_) {
    return fail(ErrorKind::internal, "a message of " + std::to_string(json + payload) + " bytes; at most " +
                                         std::to_string(max_bytes_) + " are taken");
  }
  const std::size_t size = kHeaderBytes + json + payload;
  if (buffer_.size() < size) return std::optional<Frame>{};
  Frame frame{buffer_.substr(kHeaderBytes, json), buffer_.substr(kHeaderBytes + json, payload)};
  buffer_.erase(0, size);
  return std::optional<Frame>(std::move(frame));
}

Result<std::optional<Frame>> read_frame(int fd, FrameReader& reader) {
  std::array<char, 65536> piece;
  for (;;) {
    KGEN_TRY(auto frame, reader.next());
    if (frame) return frame;
    const ssize_t count = ::read(fd, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(ErrorKind::internal, "reading a request: " + util::system_reason(errno));
    if (count == 0) return std::optional<Frame>{};
    reader.feed(std::string_view(piece.data(), static_cast<std::size_t>(count)));
  }
}

Status write_frame(int fd, const Frame& frame) {
  if (const int error = util::write_all(fd, encode_frame(frame)); error != 0) {
    return fail(ErrorKind::missing, "writing an answer: " + util::system_reason(error));
  }
  return {};
}

}  // namespace kgen::run
