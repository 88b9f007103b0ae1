#include "util/terminal.hpp"

#include <gtest/gtest.h>

namespace kgen::util {
namespace {

TEST(Terminal, PaintsOnlyWhereEnabled) {
  EXPECT_EQ(paint("x", Color::red, false), "x");
  EXPECT_EQ(paint("x", Color::none, true), "x");
  EXPECT_EQ(paint("x", Color::red, true), "\x1b[31mx\x1b[0m");
}

TEST(Terminal, AFileIsNoTerminal) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(is_terminal(file));
  EXPECT_FALSE(use_color(file));
  std::fclose(file);
}

TEST(Terminal, HasAWidthEverywhere) {
  EXPECT_GT(terminal_columns(), 0);
}

TEST(Printable, KeepsTextNewlinesTabsAndUnicode) {
  EXPECT_EQ(printable("a\tb\nc \xc3\xa9\xe2\x82\xac"), "a\tb\nc \xc3\xa9\xe2\x82\xac");
}

TEST(Printable, RemovesControlCharacters) {
  EXPECT_EQ(printable(std::string_view("a\r\b\a\0b\x7f", 7)), "ab");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "31mb"),
            "a31mb")
      << "U+009B begins an escape sequence on some terminals";
}

TEST(Printable, RemovesEscapeSequences) {
  EXPECT_EQ(printable("\x1b[1;31mred\x1b[0m"), "red");
  EXPECT_EQ(printable("\x1b]0;title\x07text"), "text");
  EXPECT_EQ(printable("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(printable("\x1b"
                      "7saved"),
            "saved");
}

TEST(Printable, UnfinishedSequencesSwallowNoLineThatFollows) {
  EXPECT_EQ(printable("a\x1b"), "a");
  EXPECT_EQ(printable("a\x1b[12"), "a");
  EXPECT_EQ(printable("a\x1b[12\nb"), "a\nb");
  EXPECT_EQ(printable("a\x1b]title\nb"), "a\nb");
  EXPECT_EQ(printable("\x1b\x1b[31mx"), "x");
}

}  // namespace
}  // namespace kgen::util
