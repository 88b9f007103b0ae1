#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "support/scoped_variable.hpp"
#include "util/file.hpp"
#include "util/subprocess.hpp"

namespace kgen::util {
namespace {

using testing::HasSubstr;

TEST(FolderLock, ASecondWriterIsToldWhoHoldsIt) {
  const auto folder = TemporaryFolder::create("kgen-lock-test-").value();
  const auto first = FolderLock::acquire(folder.path());
  ASSERT_TRUE(first);
  const auto second = FolderLock::acquire(folder.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(second.error().message,
              HasSubstr(folder.path().string() + " is in use by process " + std::to_string(::getpid())));
}

TEST(FolderLock, IsFreeAgainAfterItsOwnerWent) {
  const auto folder = TemporaryFolder::create("kgen-lock-test-").value();
  {
    auto lock = FolderLock::acquire(folder.path());
    ASSERT_TRUE(lock);
    const FolderLock moved = std::move(*lock);
    EXPECT_FALSE(FolderLock::acquire(folder.path()));
  }
  EXPECT_TRUE(FolderLock::acquire(folder.path()));
}

TEST(FolderLock, IsNotInheritedByChildren) {
  const auto folder = TemporaryFolder::create("kgen-lock-test-").value();
  SpawnOptions options;
  options.argv = {"sleep", "1000"};
  auto lock = FolderLock::acquire(folder.path());
  const auto child = Process::spawn(options);
  ASSERT_TRUE(child);
  lock = FolderLock::acquire("/nonexistent");
  EXPECT_TRUE(FolderLock::acquire(folder.path()));
}

TEST(FolderLock, AFolderThatIsNotThereIsMissing) {
  const auto lock = FolderLock::acquire("/nonexistent/folder");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, ErrorKind::missing);
}

TEST(TemporaryFolder, GoesAwayWithAllItsContent) {
  std::filesystem::path path;
  {
    auto folder = TemporaryFolder::create("kgen-folder-test-").value();
    path = folder.path();
    ASSERT_TRUE(write_file_atomic(path / "a/b", "x"));
    const TemporaryFolder moved = std::move(folder);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// A folder of a process that ended without removing it.
std::filesystem::path forgotten_folder(const char* prefix) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const auto folder = TemporaryFolder::create(prefix).value();
    const std::string path = folder.path().string();
    const bool written = write_file_atomic(folder.path() / "a/b", "x") &&
                         ::write(ends[1], path.data(), path.size()) == static_cast<ssize_t>(path.size());
    ::_exit(written ? 0 : 1);
  }
  char path[4096] = {};
  const ssize_t size = ::read(ends[0], path, sizeof path - 1);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return size > 0 ? std::filesystem::path(path) : std::filesystem::path();
}

TEST(TemporaryFolder, OneThatWasForgottenGoesWithTheNextUnlessItIsInUse) {
  const auto forgotten = forgotten_folder("kgen-forgotten-");
  const auto living = TemporaryFolder::create("kgen-forgotten-").value();
  const auto young = forgotten_folder("kgen-forgotten-");
  ASSERT_TRUE(std::filesystem::exists(forgotten / "a/b"));
  ASSERT_TRUE(std::filesystem::exists(young / "a/b"));
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::minutes(5);
  std::filesystem::last_write_time(forgotten, old);
  std::filesystem::last_write_time(living.path(), old);
  const auto next = TemporaryFolder::create("kgen-forgotten-").value();
  EXPECT_FALSE(std::filesystem::exists(forgotten));
  EXPECT_TRUE(std::filesystem::exists(living.path()));
  EXPECT_TRUE(std::filesystem::exists(young));
  std::filesystem::remove_all(young);
}

TEST(TemporaryFolder, SaysWhereNoneCanBeMade) {
  const test::ScopedVariable nowhere("TMPDIR", "/nonexistent");
  const auto folder = TemporaryFolder::create("x");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().kind, ErrorKind::missing);
  EXPECT_THAT(folder.error().message, HasSubstr("/nonexistent"));
}

}  // namespace
}  // namespace kgen::util
