#include "cli/text_table.hpp"

#include <gtest/gtest.h>

#include "cli/status_line.hpp"

namespace kgen::cli {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCellAndLinesHaveNoBlanksAtTheEnd) {
  TextTable table({{"name"}, {"n", TextTable::Align::right}, {"note"}});
  table.add({"a", "1", ""});
  table.add({"longer", "1234"});
  EXPECT_EQ(table.text(1), " name       n  note\n a          1\n longer  1234\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({{"µ"}, {"b"}});
  table.add({"ab", "c"});
  EXPECT_EQ(table.text(), "µ   b\nab  c\n");
}

TEST(LabelledLines, ValuesStandInOneColumn) {
  LabelledLines lines;
  lines.add("time", "1");
  lines.add("", "2");
  lines.add("speed-up", "3");
  EXPECT_EQ(lines.text(0), "time      1\n          2\nspeed-up  3\n");
}

TEST(CutToWidth, CutsBetweenCharacters) {
  EXPECT_EQ(cut_to_width("aµb", 2), "aµ");
  EXPECT_EQ(cut_to_width("ab", 5), "ab");
  EXPECT_EQ(cut_to_width("µ", 0), "");
}

}  // namespace
}  // namespace kgen::cli
