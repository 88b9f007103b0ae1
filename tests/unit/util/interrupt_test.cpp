#include "util/interrupt.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

namespace kgen::util {
namespace {

// Each runs in a process of its own: handlers and the flag belong to the whole process.

TEST(InterruptDeathTest, FirstSignalSetsTheFlag) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        if (interrupted()) std::_Exit(1);
        ::raise(SIGTERM);
        std::_Exit(interrupted() ? 7 : 2);
      },
      testing::ExitedWithCode(7), "");
}

TEST(InterruptDeathTest, SecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        ::raise(SIGINT);
        ::raise(SIGINT);
        std::_Exit(2);
      },
      testing::ExitedWithCode(130), "");
}

TEST(InterruptDeathTest, BrokenPipesAreErrorsAndNoSignals) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        int ends[2];
        if (::pipe(ends) != 0) std::_Exit(1);
        ::close(ends[0]);
        std::_Exit(::write(ends[1], "x", 1) < 0 ? 7 : 2);
      },
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace kgen::util
