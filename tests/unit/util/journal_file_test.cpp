#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "util/file.hpp"

namespace kgen::util {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class JournalFileTest : public testing::Test {
 protected:
  void write_raw(std::string_view text) const { std::ofstream(path_, std::ios::binary) << text; }
  void append(std::string_view line) const {
    auto file = AppendFile::open(path_);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append_line(line));
  }
  TemporaryFolder folder_ = TemporaryFolder::create("kgen-journal-test-").value();
  std::filesystem::path path_ = folder_.path() / "sub" / "events.jsonl";

  void SetUp() override { std::filesystem::create_directory(path_.parent_path()); }
};

TEST_F(JournalFileTest, LinesComeBackInOrderAcrossOpens) {
  append("one");
  append("");
  append("three");
  EXPECT_THAT(read_lines(path_).value(), ElementsAre("one", "", "three"));
}

TEST_F(JournalFileTest, AFileThatDoesNotExistHasNoLines) {
  EXPECT_THAT(read_lines(path_).value(), IsEmpty());
}

TEST_F(JournalFileTest, ATornLastLineIsNotRead) {
  write_raw("one\ntwo\n{\"to");
  EXPECT_THAT(read_lines(path_).value(), ElementsAre("one", "two"));
}

TEST_F(JournalFileTest, OpeningCutsATornLastLine) {
  write_raw("one\n{\"to");
  append("two");
  EXPECT_EQ(read_file(path_).value(), "one\ntwo\n");
}

TEST_F(JournalFileTest, OpeningCutsATornLineLongerThanABlock) {
  write_raw("one\n" + std::string(10'000, 'x'));
  append("two");
  EXPECT_EQ(read_file(path_).value(), "one\ntwo\n");
}

TEST_F(JournalFileTest, OpeningCutsATornOnlyLine) {
  write_raw("{\"torn");
  append("one");
  EXPECT_EQ(read_file(path_).value(), "one\n");
}

TEST_F(JournalFileTest, OpeningKeepsALongCompleteLine) {
  write_raw(std::string(9'000, 'x') + "\n");
  append("two");
  EXPECT_EQ(read_lines(path_).value().front().size(), 9'000u);
}

TEST_F(JournalFileTest, AFullDiskIsMissingWithTheReason) {
  auto file = AppendFile::open("/dev/full");
  ASSERT_TRUE(file) << file.error().text();
  const auto status = file->append_line("x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::missing);
  EXPECT_EQ(status.error().message, "cannot append to /dev/full: No space left on device");
}

TEST_F(JournalFileTest, ANewlineInALineIsABug) {
  auto file = AppendFile::open(path_);
  ASSERT_TRUE(file);
  EXPECT_THROW((void)file->append_line("a\nb"), std::invalid_argument);
}

}  // namespace
}  // namespace kgen::util
