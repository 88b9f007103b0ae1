#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

#include "util/subprocess.hpp"
#include "util/wait_time.hpp"

namespace kgen::util {
namespace {

/// How long a living peer may leave a full channel unread.
constexpr std::chrono::seconds kWriteLimit{60};

tl::unexpected<Error> peer_gone(int error_number) {
  const bool closed = error_number == EPIPE || error_number == ECONNRESET || error_number == EBADF;
  return fail(ErrorKind::missing, closed ? "the other side of the channel is gone"
                                         : "cannot write to the channel: " + system_reason(error_number));
}

bool wait_until_writable(int fd) {
  const Deadline deadline{std::chrono::milliseconds(kWriteLimit)};
  pollfd ready{fd, POLLOUT, 0};
  while (true) {
    const int count = ::poll(&ready, 1, deadline.poll_timeout());
    if (count > 0) return true;
    if (count == 0 && deadline.passed()) return false;
  }
}

}  // namespace

LineChannel::LineChannel(int read_fd, int write_fd)
    : read_(read_fd), write_(write_fd == read_fd ? -1 : write_fd), one_descriptor_(write_fd == read_fd) {}

Status LineChannel::write_line(std::string_view line) {
  if (line.find('\n') != std::string_view::npos)
    throw std::invalid_argument("a line must not hold a newline: " + std::string(line.substr(0, 80)));
  std::string text(line);
  text += '\n';
  const int fd = one_descriptor_ ? read_.get() : write_.get();
  if (fd < 0) return peer_gone(EBADF);
  for (std::string_view rest = text; !rest.empty();) {
    if (!wait_until_writable(fd))
      return fail(ErrorKind::missing, "the other side of the channel has read nothing for " +
                                          std::to_string(kWriteLimit.count()) + " s");
    // POLLOUT promises room for PIPE_BUF bytes: such a write never blocks, even where the descriptor would.
    const ssize_t count = write_quietly(fd, rest.substr(0, PIPE_BUF));
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EAGAIN && errno != EINTR) return peer_gone(errno);
  }
  return {};
}

bool LineChannel::has_buffered_line() const {
  std::size_t newline = buffer_.find('\n', searched_);
  if (skipping_ && newline != std::string::npos) newline = buffer_.find('\n', newline + 1);
  return newline != std::string::npos;
}

std::optional<LineChannel::ReadStatus> LineChannel::take_buffered(std::string& line) {
  for (std::size_t newline = buffer_.find('\n', searched_); newline != std::string::npos;
       newline = buffer_.find('\n', searched_)) {
    const std::size_t begin = begin_;
    begin_ = searched_ = newline + 1;
    if (std::exchange(skipping_, false)) continue;  // the end of a line that was reported as too long
    if (newline - begin > max_line_bytes) return ReadStatus::too_long;
    line.assign(buffer_, begin, newline - begin);
    return ReadStatus::line;
  }
  const bool too_long = buffer_.size() - begin_ > max_line_bytes;
  const bool report = too_long && !skipping_;
  skipping_ = skipping_ || too_long;
  buffer_.erase(0, skipping_ ? buffer_.size() : begin_);
  begin_ = 0;
  searched_ = buffer_.size();
  if (report) return ReadStatus::too_long;
  return std::nullopt;
}

LineChannel::ReadStatus LineChannel::read_line(std::string& line, std::chrono::milliseconds limit) {
  const Deadline deadline(limit);
  std::array<char, std::size_t{64} << 10> block;
  while (true) {
    if (const auto status = take_buffered(line)) return *status;
    if (!is_open()) return ReadStatus::closed;
    pollfd ready{read_.get(), POLLIN, 0};
    const int count = ::poll(&ready, 1, deadline.poll_timeout());
    if (count == 0 && deadline.passed()) return ReadStatus::timeout;
    if (count <= 0) continue;
    const ssize_t bytes = ::read(read_.get(), block.data(), block.size());
    if (bytes > 0) buffer_.append(block.data(), static_cast<std::size_t>(bytes));
    if (bytes == 0 || (bytes < 0 && errno != EINTR && errno != EAGAIN)) ended_ = true;
  }
}

}  // namespace kgen::util
