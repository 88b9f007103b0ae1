#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "unit/util/shell.hpp"
#include "util/file.hpp"
#include "util/subprocess.hpp"

namespace kgen::util {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// A child that writes to a socket we read line by line as its stdout.
struct Talker {
  explicit Talker(SpawnOptions options) : Talker(std::move(options), socket_pair().value()) {}
  std::string line() {
    std::string text;
    EXPECT_EQ(channel.read_line(text, 10s), LineChannel::ReadStatus::line);
    return text;
  }
  LineChannel channel;
  Process process;

 private:
  Talker(SpawnOptions options, std::pair<int, int> ends)
      : channel(ends.first, ends.first), process(start(std::move(options), FileDescriptor(ends.second))) {}
  static Process start(SpawnOptions options, const FileDescriptor& own_end) {
    options.fds[1] = own_end.get();
    return std::move(*Process::spawn(options));
  }
};

bool exists(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

/// Whether `pid` (not our child) ends within ten seconds; a zombie has ended.
bool ends_soon(pid_t pid) {
  const FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!handle.is_open()) return errno == ESRCH;
  pollfd ended{handle.get(), POLLIN, 0};
  return ::poll(&ended, 1, 10'000) == 1;
}

TEST(Process, GivesTheExitCode) {
  auto process = Process::spawn(shell("exit 3"));
  ASSERT_TRUE(process);
  const ExitStatus status = process->wait();
  EXPECT_EQ(status.code, 3);
  EXPECT_EQ(status.signal, 0);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.text(), "exit code 3");
  EXPECT_EQ(process->wait().code, 3) << "asking twice gives the same";
}

TEST(Process, GivesTheSignal) {
  auto process = Process::spawn(shell("kill -SEGV $$"));
  ASSERT_TRUE(process);
  const ExitStatus status = process->wait();
  EXPECT_EQ(status.signal, SIGSEGV);
  EXPECT_EQ(status.text(), "signal 11 (SIGSEGV)");
}

TEST(Process, WaitForGivesNothingWhileItRuns) {
  auto process = Process::spawn(shell("exec sleep 1000"));
  ASSERT_TRUE(process);
  EXPECT_TRUE(process->running());
  EXPECT_FALSE(process->wait_for(1ms));
  process->kill_group(SIGTERM);
  const auto status = process->wait_for(10s);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->signal, SIGTERM);
  EXPECT_FALSE(process->running());
}

TEST(Process, KillingReapsAtOnce) {
  auto process = Process::spawn(shell("exec sleep 1000"));
  ASSERT_TRUE(process);
  const pid_t pid = process->pid();
  process->kill_group(SIGKILL);
  EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(process->wait().signal, SIGKILL);
  process->kill_group(SIGKILL);  // nothing to kill: must not touch anybody else
}

TEST(Process, DestructionKillsTheWholeGroup) {
  pid_t grandchild = 0;
  {
    Talker talker(shell("sleep 1000 & echo $!; wait"));
    grandchild = std::stoi(talker.line());
    EXPECT_TRUE(exists(grandchild));
  }
  EXPECT_TRUE(ends_soon(grandchild));
}

TEST(Process, WhatAnEndedChildLeftRunningIsKilled) {
  Talker talker(shell("sleep 1000 & echo $!"));
  const pid_t grandchild = std::stoi(talker.line());
  EXPECT_TRUE(talker.process.wait().ok());
  EXPECT_TRUE(ends_soon(grandchild));
}

TEST(Process, ChildSeesOnlyTheDescriptorsItWasGiven) {
  const FileDescriptor leaked(::open("/dev/null", O_RDONLY));  // without close-on-exec
  ASSERT_TRUE(leaked.is_open());
  SpawnOptions options = shell("for f in /proc/self/fd/*; do test -e $f && echo ${f##*/}; done; echo end");
  options.fds[7] = leaked.get();
  Talker talker(options);
  EXPECT_EQ(talker.line(), "0");
  EXPECT_EQ(talker.line(), "1");
  EXPECT_EQ(talker.line(), "2");
  EXPECT_EQ(talker.line(), "7");
  EXPECT_EQ(talker.line(), "end");
}

TEST(Process, DescriptorsMayBeSwapped) {
  const auto first = socket_pair().value();
  const auto second = socket_pair().value();
  LineChannel reader_of_first(first.second, -1);
  LineChannel reader_of_second(second.second, -1);
  SpawnOptions options = shell("eval \"echo a >&$A; echo b >&$B\"");
  options.extra_env = {{"A", std::to_string(first.first)}, {"B", std::to_string(second.first)}};
  options.fds = {{first.first, second.first}, {second.first, first.first}};
  auto process = Process::spawn(options);
  ASSERT_TRUE(process);
  EXPECT_TRUE(process->wait().ok());
  std::string line;
  EXPECT_EQ(reader_of_second.read_line(line, 10s), LineChannel::ReadStatus::line);
  EXPECT_EQ(line, "a");
  EXPECT_EQ(reader_of_first.read_line(line, 10s), LineChannel::ReadStatus::line);
  EXPECT_EQ(line, "b");
  ::close(first.first);
  ::close(second.first);
}

TEST(Process, EnvironmentIsAddedToAndRemovedFrom) {
  ::setenv("KGEN_TEST_GONE", "1", 1);
  ::setenv("KGEN_TEST_KEPT", "kept", 1);
  SpawnOptions options = shell("echo \"${KGEN_TEST_GONE-unset} $KGEN_TEST_KEPT $KGEN_TEST_NEW\"");
  options.unset_env = {"KGEN_TEST_GONE"};
  options.extra_env = {{"KGEN_TEST_NEW", "new value"}};
  Talker talker(options);
  EXPECT_EQ(talker.line(), "unset kept new value");
}

TEST(Process, RunsInTheFolderItWasGiven) {
  SpawnOptions options = shell("pwd -P");
  options.folder = "/usr/bin";
  Talker talker(options);
  EXPECT_EQ(talker.line(), std::filesystem::canonical("/usr/bin").string());
}

TEST(Process, IgnoredSignalsAreNotInherited) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  auto process = Process::spawn(shell("kill -PIPE $$"));
  ::signal(SIGPIPE, before);
  ASSERT_TRUE(process);
  EXPECT_EQ(process->wait().signal, SIGPIPE);
}

TEST(Process, OutlivesTheThreadThatStartedIt) {
  Result<Process> process = fail(ErrorKind::internal, "not started");
  std::thread([&] { process = Process::spawn(shell("exec sleep 1000")); }).join();
  ASSERT_TRUE(process);
  EXPECT_FALSE(process->wait_for(50ms)) << "the parent-death signal follows the thread that forked";
}

TEST(Process, SaysWhyItCannotStart) {
  SpawnOptions options;
  EXPECT_EQ(Process::spawn(options).error().kind, ErrorKind::bad_input);
  options.argv = {"no-such-program-of-kgen"};
  EXPECT_EQ(Process::spawn(options).error().kind, ErrorKind::missing);
  EXPECT_EQ(Process::spawn(options).error().message,
            "cannot start no-such-program-of-kgen: it is not in $PATH");
  options.argv = {"/etc/passwd"};
  EXPECT_THAT(Process::spawn(options).error().message, HasSubstr("not an executable file"));
  options.argv = {"sh"};
  options.folder = "/nonexistent";
  EXPECT_THAT(Process::spawn(options).error().message, HasSubstr("folder /nonexistent: No such file"));
  options.folder.clear();
  options.fds = {{3, 100'000}};
  EXPECT_THAT(Process::spawn(options).error().message, HasSubstr("descriptors"));
}

TEST(Process, AFailedStartLeavesNoZombie) {
  const auto folder = TemporaryFolder::create("kgen-process-test-").value();
  const auto program = folder.path() / "not-a-program";
  ASSERT_TRUE(write_file_atomic(program,
                                "\x7f"
                                "ELF garbage"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  SpawnOptions options;
  options.argv = {program.string()};
  const auto process = Process::spawn(options);
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error().message, HasSubstr("Exec format error"));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Process, MovedFromOwnsNothing) {
  auto first = Process::spawn(shell("exec sleep 1000"));
  ASSERT_TRUE(first);
  Process second = std::move(*first);
  EXPECT_FALSE(first->running());
  EXPECT_TRUE(second.running());
}

}  // namespace
}  // namespace kgen::util
