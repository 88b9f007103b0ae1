#include "harness/compile/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <thread>

#include "util/file.hpp"

namespace kgen::compile {
namespace {

/// Opens without the C library, whose functions the file gate answers: what the kernel itself says.
int raw_open(const char* path, int flags) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, 0600));
}

/// Runs `attempt` in a sandboxed child process; its result comes back as the exit code. 99: the layer is not
/// enforced here.
int in_sandbox(const SandboxRules& rules, std::string SandboxReport::* layer,
               const std::function<int()>& attempt) {
  const pid_t child = fork();
  if (child == 0) {
    const SandboxReport report = enter_sandbox(rules);
    _exit(report.*layer == "ok" ? attempt() : 99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class Sandbox : public testing::Test {
 protected:
  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-sandbox-test").value();
  SandboxRules rules() {
    SandboxRules rules;
    rules.read_only = {folder_.path() / "readable"};
    rules.read_write = {folder_.path() / "scratch"};
    return rules;
  }
  void SetUp() override {
    ASSERT_TRUE(util::write_file_atomic(folder_.path() / "readable/a", "x").has_value());
    ASSERT_TRUE(util::write_file_atomic(folder_.path() / "scratch/b", "x").has_value());
    ASSERT_TRUE(util::write_file_atomic(folder_.path() / "elsewhere/c", "x").has_value());
  }
  int open_error(const std::string& name, int flags) {
    const std::string path = (folder_.path() / name).string();
    return in_sandbox(rules(), &SandboxReport::landlock,
                      [&] { return raw_open(path.c_str(), flags) >= 0 ? 0 : errno; });
  }
};

#define SKIP_WITHOUT_LAYER(result) \
  if ((result) == 99) GTEST_SKIP() << "this kernel does not enforce the layer"

TEST_F(Sandbox, OpensOnlyWhatIsAllowed) {
  const int readable = open_error("readable/a", O_RDONLY);
  SKIP_WITHOUT_LAYER(readable);
  EXPECT_EQ(readable, 0);
  EXPECT_EQ(open_error("readable/a", O_WRONLY), EACCES);
  EXPECT_EQ(open_error("scratch/b", O_RDWR), 0);
  EXPECT_EQ(open_error("scratch/new", O_RDWR | O_CREAT), 0);
  EXPECT_EQ(open_error("elsewhere/c", O_RDONLY), EACCES);
  EXPECT_EQ(open_error("scratch/../elsewhere/c", O_RDONLY), EACCES);
  EXPECT_EQ(in_sandbox(rules(), &SandboxReport::landlock,
                       [] { return raw_open("/etc/passwd", O_RDONLY) >= 0 ? 0 : errno; }),
            EACCES);
}

TEST_F(Sandbox, RefusesSocketsProgramsProcessesAndTracing) {
  const auto refused = [&](const std::function<int()>& attempt) {
    return in_sandbox(rules(), &SandboxReport::seccomp, attempt);
  };
  const int socket_error = refused([] { return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : errno; });
  SKIP_WITHOUT_LAYER(socket_error);
  EXPECT_EQ(socket_error, EPERM);
  EXPECT_EQ(refused([] { return fork() >= 0 ? 0 : errno; }), EPERM);
  EXPECT_EQ(refused([] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : errno; }), EPERM);
  EXPECT_EQ(refused([] { return kill(getppid(), 0) == 0 ? 0 : errno; }), EPERM);
  EXPECT_EQ(refused([] {
              execl("/bin/true", "true", nullptr);
              return errno;
            }),
            EPERM);
  EXPECT_EQ(refused([] {
              const rlimit limit{0, 0};
              return setrlimit(RLIMIT_NPROC, &limit) == 0 ? 0 : errno;
            }),
            EPERM);
  EXPECT_EQ(refused([] {
              rlimit limit{};
              return getrlimit(RLIMIT_AS, &limit);
            }),
            0);
}

TEST_F(Sandbox, ThreadsAndAbortStillWork) {
  const int threads = in_sandbox(rules(), &SandboxReport::seccomp, [] {
    int value = 1;
    std::thread([&] { value = 0; }).join();
    return value;
  });
  SKIP_WITHOUT_LAYER(threads);
  EXPECT_EQ(threads, 0);
  EXPECT_EQ(in_sandbox(rules(), &SandboxReport::seccomp,
                       [] {
                         std::abort();
                         return 1;
                       }),
            -SIGABRT);
}

TEST_F(Sandbox, FilesDoNotGrowWithoutEnd) {
  SandboxRules small = rules();
  small.file_bytes = 1000;
  const std::string path = (folder_.path() / "scratch/b").string();
  const int result = in_sandbox(small, &SandboxReport::seccomp, [&] {
    signal(SIGXFSZ, SIG_IGN);
    const std::string text(2000, 'x');
    const int fd = open(path.c_str(), O_WRONLY);
    return write(fd, text.data(), text.size()) == 1000 && write(fd, text.data(), 1) < 0 ? errno : 0;
  });
  SKIP_WITHOUT_LAYER(result);
  EXPECT_EQ(result, EFBIG);
}

}  // namespace
}  // namespace kgen::compile
