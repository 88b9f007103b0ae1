#include "util/file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace kgen::util {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FileTest : public testing::Test {
 protected:
  fs::path in_folder(const std::string& name) const { return folder_.path() / name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  TemporaryFolder folder_ = TemporaryFolder::create("kgen-file-test-").value();
};

TEST_F(FileTest, ReadsBackWhatWasWrittenByteForByte) {
  std::string text = "first\n";
  text += '\0';
  text += std::string(200'000, 'x') + "\xff";
  ASSERT_TRUE(write_file_atomic(in_folder("a"), text));
  EXPECT_TRUE(read_file(in_folder("a")).value() == text);
}

TEST_F(FileTest, ReplacesAFileAndLeavesNoTemporaryBehind) {
  ASSERT_TRUE(write_file_atomic(in_folder("a"), "old, and longer"));
  ASSERT_TRUE(write_file_atomic(in_folder("a"), "new"));
  EXPECT_EQ(read_file(in_folder("a")).value(), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, MakesMissingFolders) {
  ASSERT_TRUE(write_file_atomic(in_folder("x/y/z.txt"), "deep"));
  EXPECT_EQ(read_file(in_folder("x/y/z.txt")).value(), "deep");
}

TEST_F(FileTest, ReadingNamesThePathAndTheReason) {
  const auto missing = read_file(in_folder("nothing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::bad_input);
  EXPECT_EQ(missing.error().message,
            "cannot read " + in_folder("nothing").string() + ": No such file or directory");
  const auto folder = read_file(folder_.path());
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, HasSubstr("Is a directory"));
}

TEST_F(FileTest, ReadingStopsAtTheLimit) {
  ASSERT_TRUE(write_file_atomic(in_folder("a"), "12345"));
  EXPECT_EQ(read_file(in_folder("a"), 5).value(), "12345");
  const auto text = read_file(in_folder("a"), 4);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("larger than 4 bytes"));
}

TEST_F(FileTest, WritingBelowAFileIsMissing) {
  ASSERT_TRUE(write_file_atomic(in_folder("file"), "x"));
  const auto status = write_file_atomic(in_folder("file/below"), "y");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::missing);
  EXPECT_THAT(status.error().message, HasSubstr(in_folder("file").string()));
  EXPECT_THAT(status.error().message, HasSubstr("Not a directory"));
}

TEST_F(FileTest, WritingOverAFolderFailsAndLeavesNoTemporary) {
  fs::create_directory(in_folder("sub"));
  const auto status = write_file_atomic(in_folder("sub"), "y");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::missing);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, UnwritableFolderSaysWhatToDo) {
  fs::create_directory(in_folder("locked"));
  fs::permissions(in_folder("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  // For root no folder is locked; /proc refuses new files even then.
  const fs::path target = ::geteuid() == 0 ? fs::path("/proc/kgen-test") : in_folder("locked/file");
  const auto status = write_file_atomic(target, "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::missing);
  EXPECT_THAT(status.error().message, HasSubstr(target.string()));
}

TEST_F(FileTest, FullDiskIsReportedWithReasonAndHint) {
  const auto status = write_file_atomic("/dev/full", "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::missing);
  EXPECT_EQ(status.error().message, "cannot write /dev/full: No space left on device");
  EXPECT_THAT(status.error().hint, HasSubstr("free some space"));
}

TEST_F(FileTest, DevicesAreWrittenStraightAndNotReplaced) {
  ASSERT_TRUE(write_file_atomic("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(ContentHash, IsFnv1aOf64Bits) {
  EXPECT_EQ(content_hash(""), "cbf29ce484222325");
  EXPECT_EQ(content_hash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(content_hash("foobar"), "85944171f73967e8");
}

TEST(FindProgram, LooksIntoPathAndTakesPathsAsTheyAre) {
  const auto shell = find_program("sh");
  ASSERT_TRUE(shell);
  EXPECT_TRUE(shell->is_absolute());
  EXPECT_TRUE(find_program(shell->string()));
  EXPECT_FALSE(find_program("no-such-program-of-kgen"));
  EXPECT_FALSE(find_program("/etc/passwd"));
  EXPECT_FALSE(find_program(""));
}

TEST(ProgramFolder, HoldsThisTest) {
  EXPECT_TRUE(fs::exists(program_folder() / "util_tests"));
}

}  // namespace
}  // namespace kgen::util
