#include "harness/run/deny_syscalls.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

namespace kgen::run {
namespace {

/// Runs `probe` in a child that has the deny-list, and gives its exit code back: what the probe returned, or
/// 100 where there is no deny-list on this machine.
template <class Probe>
int in_denied_child(const Probe& probe) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (!deny_dangerous_syscalls().in_force) ::_exit(100);
    ::_exit(probe());
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define EXPECT_IN_CHILD(expected, ...)                                      \
  do {                                                                      \
    const int code = in_denied_child(__VA_ARGS__);                          \
    if (code == 100) GTEST_SKIP() << "this kernel takes no seccomp filter"; \
    EXPECT_EQ(code, expected);                                              \
  } while (false)

TEST(DenySyscalls, RefusesSockets) {
  EXPECT_IN_CHILD(EPERM, [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0; });
  EXPECT_IN_CHILD(EPERM, [] { return ::socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0; });
}

TEST(DenySyscalls, RefusesOtherProgramsAndProcesses) {
  EXPECT_IN_CHILD(EPERM, [] {
    char program[] = "/bin/true";
    char* const argv[] = {program, nullptr};
    ::execv(program, argv);
    return errno;
  });
  EXPECT_IN_CHILD(EPERM, [] { return ::fork() < 0 ? errno : 0; });
  EXPECT_IN_CHILD(EPERM, [] { return ::kill(::getppid(), 0) < 0 ? errno : 0; });
  for (const long call : {SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_tgkill})
    EXPECT_IN_CHILD(EPERM, [call] { return ::syscall(call, ::getppid(), 0, 0, 0) < 0 ? errno : 0; });
}

TEST(DenySyscalls, RefusesWaysAroundAndLinks) {
  EXPECT_IN_CHILD(EPERM, [] {
    int ends[2];
    return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ? errno : 0;
  });
  // Arguments that fail by themselves, with another error, where the call is let through.
  for (const long call :
       {SYS_open_by_handle_at, SYS_symlinkat, SYS_linkat, SYS_mknodat, SYS_process_madvise}) {
    EXPECT_IN_CHILD(EPERM, [call] { return ::syscall(call, -1, 0, -1, 0, 0) < 0 ? errno : 0; });
  }
  EXPECT_IN_CHILD(ENOSYS, [] { return ::syscall(SYS_pidfd_getfd, -1, 0, 0) < 0 ? errno : 0; });
}

TEST(DenySyscalls, LeavesThreadsMemoryAndFilesAlone) {
  EXPECT_IN_CHILD(42, [] {
    int answer = 0;
    std::thread([&] { answer = 42; }).join();
    std::free(std::malloc(8u << 20));
    return ::access("/dev/null", R_OK) == 0 ? answer : 1;
  });
}

TEST(DenySyscalls, LeavesSignalsToItselfAlone) {
  EXPECT_IN_CHILD(0, [] { return ::syscall(SYS_tgkill, ::getpid(), ::getpid(), 0) < 0 ? errno : 0; });
}

TEST(DenySyscalls, BindsThreadsThatWereThereBefore) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(1);
    int error = 0;
    std::thread early([&] {
      char go = 0;
      (void)!::read(ends[0], &go, 1);
      error = ::socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
    });
    const bool in_force = deny_dangerous_syscalls().in_force;
    (void)!::write(ends[1], "x", 1);
    early.join();
    ::_exit(in_force ? error : 100);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WEXITSTATUS(status) == 100) GTEST_SKIP() << "this kernel takes no seccomp filter";
  EXPECT_EQ(WEXITSTATUS(status), EPERM);
}

TEST(GiveUpPrivileges, LeavesNoCoreFiles) {
  EXPECT_IN_CHILD(0, [] {
    rlimit limit{};
    ::getrlimit(RLIMIT_CORE, &limit);
    return static_cast<int>(limit.rlim_max);
  });
}

}  // namespace
}  // namespace kgen::run
