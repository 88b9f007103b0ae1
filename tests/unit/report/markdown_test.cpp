#include "report/markdown.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "report/markdown_escape.hpp"
#include "report/sample_run.hpp"
#include "support/golden.hpp"

namespace kgen::report {
namespace {

TEST(CodeSpan, NothingInItEndsIt) {
  EXPECT_EQ(code_span("plain"), "`plain`");
  EXPECT_EQ(code_span("a `b` c"), "``a `b` c``");
  EXPECT_EQ(code_span("`` ` ```"), "```` `` ` ``` ````");
  EXPECT_EQ(code_span(" two\n\tlines "), "`two lines`");
  EXPECT_EQ(code_span("a|b"), "`a|b`");
  EXPECT_EQ(code_span("a|b", true), "`a\\|b`");
  EXPECT_EQ(code_span("\x1b[31mred\x07 \u202ertl"), "`red rtl`");
  EXPECT_EQ(code_span(" \n "), "");
}

TEST(CodeBlock, ItsFenceIsLongerThanAnyInside) {
  EXPECT_EQ(code_block("x"), "```\nx\n```\n");
  EXPECT_EQ(code_block("````\n"), "`````\n````\n`````\n");
}

TEST(EscapedMarkdown, IsProseWhateverItHolds) {
  EXPECT_EQ(escaped_markdown("1.5 of www.x.y."), "1.5 of www\\.x\\.y.");
  EXPECT_EQ(escaped_markdown("a*b_ <i> @all https://x"), "a\\*b\\_ \\<i\\> \\@\u200ball https\\://x");
}

TEST(MarkdownReport, IsThatOfTheGoldenRun) {
  ReportRun run = test::sample_run();
  run.state.review = core::Review{{true, "anna", "fast enough"}, "2026-01-03T00:00:00Z", *run.state.finished};
  EXPECT_EQ(test::compare_golden("report/run.md", markdown_report(run)), "");
}

/// Markdown without what stands in code spans and blocks, and without escaped characters.
std::string outside_code(const std::string& markdown) {
  std::string out, fence;
  for (std::size_t at = 0; at < markdown.size();) {
    if (fence.empty() && markdown[at] == '\\') {
      at += 2;
      continue;
    }
    std::size_t ticks = 0;
    while (at + ticks < markdown.size() && markdown[at + ticks] == '`') ++ticks;
    if (ticks == 0) {
      if (fence.empty()) out += markdown[at];
      ++at;
      continue;
    }
    const std::string run = markdown.substr(at, ticks);
    if (fence.empty())
      fence = run;
    else if (run == fence)
      fence.clear();
    at += ticks;
  }
  EXPECT_TRUE(fence.empty()) << "a code span that is never closed";
  return out;
}

TEST(MarkdownReport, HostileTextsStandInCodeAlone) {
  const std::string text = outside_code(markdown_report(test::hostile_run()));
  for (const char* part : {"<script", "<img", "javascript:", "@everyone", "](", "<!--", "\u202e"})
    EXPECT_EQ(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(MarkdownReport, ATablesRowsHaveAsManyCellsAsItsHeadWhateverTheTexts) {
  std::size_t cells = 0;
  std::istringstream lines(markdown_report(test::hostile_run()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      cells = 0;
      continue;
    }
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    if (cells == 0) cells = bars;
    EXPECT_EQ(bars, cells) << line;
  }
}

TEST(MarkdownReport, ABatchIsATableOfItsTasks) {
  ReportBatch batch{"batch-ops", "2026-01-02T03:04:05Z", {}};
  batch.items.push_back({1, "softmax bf16", "target_met", "", test::sample_run()});
  batch.items.push_back({2, "add_relu f32", "not started", "", std::nullopt});
  EXPECT_EQ(markdown_report(batch),
            "## `batch-ops`\n\n"
            "| # | task | outcome | time (median, 95% interval) | over library | review |\n"
            "| --- | --- | --- | --- | --- | --- |\n"
            "| 1 | `softmax bf16` | `target_met` | 69.28 us [69.03, 69.53] | 2.30x [2.29, 2.31] |  |\n"
            "| 2 | `add_relu f32` | `not started` |  |  |  |\n");
}

}  // namespace
}  // namespace kgen::report
