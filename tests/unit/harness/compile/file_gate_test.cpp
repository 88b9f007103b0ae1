#include "harness/compile/file_gate.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "util/file.hpp"

namespace kgen::compile {
namespace {

/// A folder with readable/a, scratch/b and elsewhere/c, and links between them.
class FileGate : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"readable/a", "scratch/b", "elsewhere/c", "readable-not/d"})
      ASSERT_TRUE(util::write_file_atomic(path(name), "x").has_value());
    std::filesystem::create_symlink(path("elsewhere/c"), path("readable/link_out"));
    std::filesystem::create_directory_symlink(path("readable"), path("linked"));
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  /// errno of `attempt` in a child whose gate is closed; 0 where it succeeds.
  int behind_gate(const std::function<bool()>& attempt) const {
    const pid_t child = fork();
    if (child == 0) {
      SandboxRules rules;
      rules.read_only = {path("linked")};
      rules.read_write = {path("scratch")};
      if (close_file_gate(rules) != "ok") _exit(200);
      errno = 0;
      _exit(attempt() ? 0 : errno);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int open_error(const std::string& name, int flags = O_RDONLY) const {
    return behind_gate([&] { return open(path(name).c_str(), flags, 0600) >= 0; });
  }

  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-gate-test").value();
};

TEST_F(FileGate, OpensWhatIsAllowedByAnyOfItsPaths) {
  EXPECT_EQ(open_error("readable/a"), 0);
  EXPECT_EQ(open_error("linked/a"), 0);
  EXPECT_EQ(open_error("scratch/../readable/./a"), 0);
  EXPECT_EQ(open_error("scratch/b", O_RDWR), 0);
  EXPECT_EQ(open_error("scratch/new", O_WRONLY | O_CREAT), 0);
  EXPECT_EQ(behind_gate([] { return open("/dev/null", O_RDWR) >= 0; }), 0);
}

TEST_F(FileGate, AnythingElseIsNotThere) {
  EXPECT_EQ(open_error("elsewhere/c"), ENOENT);
  EXPECT_EQ(open_error("readable/../elsewhere/c"), ENOENT);
  EXPECT_EQ(open_error("readable/link_out"), ENOENT);
  EXPECT_EQ(open_error("readable-not/d"), ENOENT);
  EXPECT_EQ(open_error("elsewhere/new", O_WRONLY | O_CREAT), ENOENT);
  EXPECT_EQ(open_error("readable/a", O_WRONLY), ENOENT);
  EXPECT_EQ(open_error("readable/new", O_WRONLY | O_CREAT), ENOENT);
  EXPECT_EQ(behind_gate([] { return open("/etc/passwd", O_RDONLY) >= 0; }), ENOENT);
  EXPECT_EQ(behind_gate([] { return open("/proc/self/environ", O_RDONLY) >= 0; }), ENOENT);
  EXPECT_FALSE(std::filesystem::exists(path("elsewhere/new")));
}

TEST_F(FileGate, NoOtherFunctionTellsMore) {
  const std::string other = path("elsewhere/c");
  EXPECT_EQ(behind_gate([&] { return fopen(other.c_str(), "r") != nullptr; }), ENOENT);
  EXPECT_EQ(behind_gate([&] { return fopen(path("readable/a").c_str(), "r+") != nullptr; }), ENOENT);
  EXPECT_EQ(behind_gate([&] { return std::ifstream(other).is_open(); }), ENOENT);
  EXPECT_EQ(behind_gate([&] { return access(other.c_str(), F_OK) == 0; }), ENOENT);
  struct stat facts{};
  EXPECT_EQ(behind_gate([&] { return stat(other.c_str(), &facts) == 0; }), ENOENT);
  EXPECT_EQ(behind_gate([&] { return lstat(other.c_str(), &facts) == 0; }), ENOENT);
  EXPECT_EQ(behind_gate([&] { return opendir(path("elsewhere").c_str()) != nullptr; }), ENOENT);
  EXPECT_EQ(behind_gate([&] { return opendir("/") != nullptr; }), ENOENT);
  EXPECT_EQ(behind_gate([&] { return realpath(other.c_str(), nullptr) != nullptr; }), ENOENT);
  EXPECT_EQ(behind_gate([&] {
              const int folder = open(path("readable").c_str(), O_RDONLY | O_DIRECTORY);
              return openat(folder, "a", O_RDONLY) >= 0;
            }),
            0);
  EXPECT_EQ(behind_gate([&] {
              const int folder = open(path("readable").c_str(), O_RDONLY | O_DIRECTORY);
              return openat(folder, "../elsewhere/c", O_RDONLY) >= 0;
            }),
            ENOENT);
}

TEST_F(FileGate, TheWayToAllowedFoldersCanBeLookedAt) {
  struct stat facts{};
  EXPECT_EQ(behind_gate([&] { return stat(folder_.path().c_str(), &facts) == 0; }), 0);
  EXPECT_EQ(behind_gate([&] { return realpath(path("linked/a").c_str(), nullptr) != nullptr; }), 0);
}

TEST_F(FileGate, CountsWhatItRefused) {
  EXPECT_EQ(behind_gate([&] {
              (void)open(path("elsewhere/c").c_str(), O_RDONLY);
              (void)access("/etc/passwd", R_OK);
              (void)open(path("readable/a").c_str(), O_RDONLY);
              return refused_by_file_gate() == 2;
            }),
            0);
}

TEST_F(FileGate, OpenUntilClosed) {
  EXPECT_GE(open(path("elsewhere/c").c_str(), O_RDONLY | O_CLOEXEC), 0);
  EXPECT_EQ(refused_by_file_gate(), 0u);
}

}  // namespace
}  // namespace kgen::compile
