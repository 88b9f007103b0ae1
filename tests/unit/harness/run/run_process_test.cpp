#include "harness/run/run_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include "harness/run/run_pool.hpp"

namespace kgen::run {
namespace {

using Kind = RunFailure::Kind;
constexpr Milliseconds kPlenty{20000}, kShort{50};

RunOptions options(const std::string& how) {
  RunOptions out;
  out.command = {KGEN_FAKE_RUN_PROCESS, how};
  return out;
}

RunProcess start(const std::string& how) {
  auto process = RunProcess::start(options(how));
  EXPECT_TRUE(process) << process.error().text();
  return std::move(*process);
}

/// The failure of one launch in a process that behaves like `how`.
RunFailure failure_of_launch(const std::string& how, Milliseconds limit = kPlenty) {
  RunProcess process = start(how);
  const auto result = process.launch_once(0, {}, limit);
  return result ? RunFailure{Kind::world, "", "", "the launch succeeded", -1} : result.error();
}

bool is_alive(int pid) {
  return ::kill(pid, 0) == 0;
}

TEST(RunProcess, LaunchesAndTimesInAProcessThatBehaves) {
  RunProcess process = start("good");
  const auto ready = process.wait_ready();
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->sandbox, "none");
  EXPECT_TRUE(process.launch_once(0, {}, kPlenty));
  TimeBlock block;
  block.order = {0, 1, 0};
  const auto times = process.time_block({}, block);
  ASSERT_TRUE(times);
  EXPECT_EQ(*times, (std::vector<double>{12.5, 12.5, 12.5}));
}

TEST(RunProcess, SendsACubinLargerThanTheSocketHolds) {
  RunProcess process = start("wrong fields");
  // The answer makes no sense, but it comes only once the whole cubin was read.
  const auto loaded = process.load(std::string(8u << 20, 'x'), {});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, Kind::died);
  EXPECT_EQ(loaded.error().fine, "nonsense");
}

TEST(RunProcess, KillsAProcessThatDoesNotAnswerInTime) {
  RunProcess process = start("hang");
  ASSERT_TRUE(process.wait_ready());
  const int pid = process.pid();
  ASSERT_TRUE(is_alive(pid));
  const auto result = process.launch_once(0, {}, kShort);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Kind::timeout);
  EXPECT_NE(result.error().message.find("0.05 s"), std::string::npos) << result.error().message;
  EXPECT_FALSE(is_alive(pid));
}

TEST(RunProcess, TimeLimitHoldsAgainstAProcessThatPrintsWithoutEnd) {
  EXPECT_EQ(failure_of_launch("chatter", kShort).kind, Kind::timeout);
}

TEST(RunProcess, SaysHowAProcessDiedAndWhatItSaid) {
  const RunFailure failure = failure_of_launch("die");
  EXPECT_EQ(failure.kind, Kind::died);
  EXPECT_NE(failure.message.find("exit code 3"), std::string::npos) << failure.message;
  EXPECT_NE(failure.message.find("last words"), std::string::npos) << failure.message;
}

TEST(RunProcess, PassesAFaultOnAndKillsTheSpentProcess) {
  RunProcess process = start("fault");
  ASSERT_TRUE(process.wait_ready());
  const int pid = process.pid();
  const auto result = process.launch_once(0, {}, kPlenty);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Kind::fault);
  EXPECT_EQ(result.error().fine, "illegal_address");
  EXPECT_EQ(result.error().cuda_error, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_FALSE(is_alive(pid));
  const auto again = process.launch_once(0, {}, kPlenty);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, Kind::fault);
}

TEST(RunProcess, OutlivesARefusedLaunch) {
  RunProcess process = start("refuse");
  for (int i = 0; i < 2; ++i) {
    const auto result = process.launch_once(0, {}, kPlenty);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, Kind::launch_error);
    EXPECT_EQ(result.error().step, 1);
  }
  EXPECT_TRUE(is_alive(process.pid()));
}

TEST(RunProcess, TakesNoAnswerFromStdout) {
  RunProcess process = start("forge");
  TimeBlock block;
  block.order = {0};
  const auto times = process.time_block({}, block);
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().kind, Kind::fault);
  EXPECT_EQ(process.output().size(), 64u * 1024u);
  EXPECT_NE(process.output().find("0.001"), std::string::npos);
}

TEST(RunProcess, RefusesNonsense) {
  for (const char* how : {"not json", "wrong fields", "huge"}) {
    const RunFailure failure = failure_of_launch(how);
    EXPECT_EQ(failure.kind, Kind::died) << how;
    EXPECT_EQ(failure.fine, "nonsense") << how;
  }
}

TEST(RunProcess, RefusesAnotherNumberOfTimesThanAskedFor) {
  RunProcess process = start("few times");
  TimeBlock block;
  block.order = {0, 0};
  const auto times = process.time_block({}, block);
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().kind, Kind::died);
}

TEST(RunProcess, AStartThatFailsIsTheWorldsDoing) {
  RunOptions silent = options("silent start");
  silent.start_limit = kShort;
  auto process = RunProcess::start(silent);
  ASSERT_TRUE(process);
  const auto ready = process->wait_ready();
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().kind, Kind::world);
  const RunFailure no_device = failure_of_launch("no device");
  EXPECT_EQ(no_device.kind, Kind::world);
  EXPECT_NE(no_device.message.find("no GPU"), std::string::npos);
}

TEST(RunProcess, AProgramThatIsNotThereIsAnError) {
  RunOptions missing;
  missing.command = {"/nowhere/kgen-worker", "run"};
  const auto process = RunProcess::start(missing);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().kind, ErrorKind::missing);
}

TEST(RunProcess, KillEndsIt) {
  RunProcess process = start("good");
  ASSERT_TRUE(process.wait_ready());
  const int pid = process.pid();
  process.kill();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_FALSE(process.launch_once(0, {}, kPlenty));
}

TEST(RunPool, TellsWhatHoldsTheProcessThatComesNext) {
  auto pool = RunPool::create(options("good"), 1);
  ASSERT_TRUE(pool);
  const auto ready = pool->next_ready();
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->sandbox, "none");
  EXPECT_TRUE(ready->denies);
  EXPECT_TRUE(pool->acquire()) << "it is still there";
}

TEST(RunPool, HasTheNextProcessStartedBeforeItIsAskedFor) {
  auto pool = RunPool::create(options("good"), 1);
  ASSERT_TRUE(pool);
  ASSERT_TRUE(pool->settle());
  auto first = pool->acquire();
  ASSERT_TRUE(first);
  auto second = pool->acquire();
  ASSERT_TRUE(second);
  EXPECT_NE(first->pid(), second->pid());
  EXPECT_TRUE(second->launch_once(0, {}, kPlenty));
}

TEST(RunPool, RecoversFromManyHangsInARow) {
  auto pool = RunPool::create(options("hang"), 1);
  ASSERT_TRUE(pool);
  for (int i = 0; i < 5; ++i) {
    auto process = pool->acquire();
    ASSERT_TRUE(process) << process.error().text();
    const auto result = process->launch_once(0, {}, kShort);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, Kind::timeout);
  }
}

TEST(RunPool, KeepsMoreWhereTheyAreWaitedForAndFewerWhereSomethingIsMeasured) {
  auto pool = RunPool::create(options("slow start"), 1);
  ASSERT_TRUE(pool);
  for (const int expected : {2, 3, 4, 4}) {
    ASSERT_TRUE(pool->acquire());
    EXPECT_EQ(pool->ahead(), expected) << "none was up";
  }
  ASSERT_TRUE(pool->settle());
  EXPECT_EQ(pool->ahead(), 1);
  ASSERT_TRUE(pool->refill());
  ASSERT_TRUE(pool->settle());
  ASSERT_TRUE(pool->acquire());
  EXPECT_EQ(pool->ahead(), 1) << "it was up";
}

TEST(RunPool, SaysWhyProcessesDoNotComeUp) {
  auto pool = RunPool::create(options("no device"), 1);
  ASSERT_TRUE(pool);
  const auto process = pool->acquire();
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().kind, ErrorKind::missing);
  EXPECT_NE(process.error().message.find("no GPU"), std::string::npos) << process.error().message;
}

TEST(ChangedGlobals, NamesWhatDiffersAndWhatCameOrWent) {
  const std::vector<GlobalVariable> before = {
      {"same", 4, "aa", ""}, {"counter", 4, "aa", ""}, {"gone", 4, "aa", ""}};
  const std::vector<GlobalVariable> after = {
      {"same", 4, "aa", ""}, {"counter", 4, "bb", ""}, {"new", 4, "aa", ""}};
  EXPECT_EQ(changed_globals(before, after), (std::vector<std::string>{"counter", "new", "gone"}));
  EXPECT_TRUE(changed_globals(before, before).empty());
}

}  // namespace
}  // namespace kgen::run
