#include "harness/run/captured_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace kgen::run {

Result<CapturedOutput> CapturedOutput::create() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorKind::missing, "a pipe cannot be made: " + util::system_reason(errno));
  CapturedOutput out;
  out.reader_.reset(ends[0]);
  out.writer_.reset(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return out;
}

void CapturedOutput::drain() {
  std::array<char, 65536> piece;
  // Bounded: a child that writes without end must not keep us here. What is left comes with the next look.
  for (int i = 0; i < 64 && reader_.is_open(); ++i) {
    const ssize_t count = ::read(reader_.get(), piece.data(), piece.size());
    if (count == 0) reader_.reset();  // closed by the child: nothing to poll for any more
    if (count <= 0) return;
    const std::size_t room = kKeptBytes - std::min(kKeptBytes, text_.size());
    text_.append(piece.data(), std::min(room, static_cast<std::size_t>(count)));
  }
}

}  // namespace kgen::run
