#include "util/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace kgen::util {
namespace {

constexpr int kInterruptedExitCode = 130;

std::atomic<bool> came{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

void note_signal(int /*signal*/) {
  if (came.exchange(true)) ::_exit(kInterruptedExitCode);
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action{};
  sigemptyset(&action.sa_mask);
  action.sa_handler = note_signal;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
}

bool interrupted() {
  return came.load();
}

}  // namespace kgen::util
