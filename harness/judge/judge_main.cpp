#include "harness/judge/judge_main.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "harness/judge/protocol_loop.hpp"
#include "util/file.hpp"

namespace kgen::judge {
namespace {

constexpr std::chrono::milliseconds kGrace{1000};

/// Takes stdin and stdout away for the protocol; 0 becomes /dev/null and 1 stderr, for children and stray
/// prints.
Result<util::LineChannel> take_channel() {
  const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10), out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  util::FileDescriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (in < 0 || out < 0 || !null.is_open()) {
    return fail(ErrorKind::missing, "the judge needs an open stdin and stdout");
  }
  dup2(null.get(), STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return util::LineChannel(in, out);
}

/// Ends the process when the reader of `fd` goes away, also in the middle of an evaluation. A worker that
/// waits for requests is given the time to end by itself: it has folders to remove.
void end_with_reader(int fd) {
  std::thread([fd] {
    pollfd entry{fd, 0, 0};
    while (poll(&entry, 1, -1) < 0) {
    }
    std::this_thread::sleep_for(kGrace);
    _exit(0);
  }).detach();
}

}  // namespace

int judge_main() {
  signal(SIGPIPE, SIG_IGN);
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  auto channel = take_channel();
  if (!channel) {
    std::fprintf(stderr, "kgen-worker: %s\n", channel.error().text().c_str());
    return 5;
  }
  end_with_reader(answers);
  return ProtocolLoop(std::move(*channel), (util::program_folder() / "kgen-worker").string()).run();
}

}  // namespace kgen::judge
