#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "unit/util/shell.hpp"
#include "util/clock.hpp"
#include "util/subprocess.hpp"

namespace kgen::util {
namespace {

using namespace std::chrono_literals;

TEST(RunCommand, CapturesBothStreamsAndTheExitCode) {
  const auto output = run_command(shell("echo out; echo err >&2; exit 4"), "", 20s);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "out\n");
  EXPECT_EQ(output->err, "err\n");
  EXPECT_EQ(output->status.code, 4);
  EXPECT_FALSE(output->timed_out);
}

TEST(RunCommand, BigInputAndBigOutputDoNotBlockEachOther) {
  const std::string input(5u << 20, 'x');
  const auto output = run_command(shell("exec cat"), input, 60s);
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->out == input);
  EXPECT_TRUE(output->status.ok());
}

TEST(RunCommand, AChildThatIgnoresItsInputIsNoError) {
  const std::string input(5u << 20, 'x');
  const auto output = run_command(shell("exec <&-; echo done"), input, 20s);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "done\n");
  EXPECT_TRUE(output->status.ok());
}

TEST(RunCommand, EmptyInputIsAnImmediateEnd) {
  const auto output = run_command(shell("exec cat"), "", 20s);
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->status.ok());
}

TEST(RunCommand, ACommandOverItsLimitIsKilled) {
  const auto output = run_command(shell("echo before; sleep 1000"), "", 100ms);
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->timed_out);
  EXPECT_EQ(output->status.signal, SIGKILL);
  EXPECT_EQ(output->out, "before\n");
}

TEST(RunCommand, AFloodOfOutputDoesNotHideTheLimit) {
  const auto output = run_command(shell("exec yes"), "", 200ms, {}, 1000);
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->timed_out);
  EXPECT_EQ(output->out.size(), 1000u);
}

TEST(RunCommand, OutputIsCutAtTheLimitWithoutBlockingTheChild) {
  const auto output = run_command(shell("head -c 300000 /dev/zero; exit 2"), "", 20s, {}, 10);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out.size(), 10u);
  EXPECT_EQ(output->status.code, 2);
}

TEST(RunCommand, CancellingKillsIt) {
  const Stopwatch watch;
  const auto output = run_command(shell("sleep 1000"), "", 600s, [] { return true; });
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->cancelled);
  EXPECT_FALSE(output->timed_out);
  EXPECT_EQ(output->status.signal, SIGKILL);
  EXPECT_LT(watch.elapsed_s(), 60);
}

TEST(RunCommand, AChildWithClosedStreamsIsStillAwaited) {
  const auto output = run_command(shell("exec >&- 2>&-; exit 5"), "", 20s);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->status.code, 5);
}

TEST(RunCommand, ABackgroundProcessThatHoldsThePipesDoesNotDelayTheEnd) {
  const Stopwatch watch;
  const auto output = run_command(shell("sleep 1000 & echo done"), "", 600s);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "done\n");
  EXPECT_TRUE(output->status.ok());
  EXPECT_LT(watch.elapsed_s(), 60);
}

TEST(RunCommand, AMissingProgramIsAnError) {
  SpawnOptions options;
  options.argv = {"no-such-program-of-kgen"};
  EXPECT_EQ(run_command(options, "", 1s).error().kind, ErrorKind::missing);
}

}  // namespace
}  // namespace kgen::util
