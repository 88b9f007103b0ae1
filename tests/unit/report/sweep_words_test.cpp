#include "report/sweep_words.hpp"

#include <gtest/gtest.h>

#include "report/report_run.hpp"
#include "report/sample_run.hpp"
#include "report/sweep_data.hpp"
#include "report/sweep_markdown.hpp"
#include "util/json.hpp"

namespace kgen::report {
namespace {

using nlohmann::json;

core::SweepRecord sample_sweep() {
  return *test::sample_run().files[2].sweep;
}

TEST(SweepWords, OnlyTunablesThatDifferTellVariantsApart) {
  core::SweepRecord sweep = sample_sweep();
  EXPECT_EQ(varied_tunables(sweep.reply), (std::vector<std::string>{"ROWS", "THREADS"}));
  sweep.reply.variants.resize(1);
  EXPECT_TRUE(varied_tunables(sweep.reply).empty());
  sweep.reply.variants.clear();
  EXPECT_TRUE(varied_tunables(sweep.reply).empty());
}

TEST(SweepWords, AVariantThatStaysIsNeitherBeforeNorChosen) {
  core::SweepRecord sweep = sample_sweep();
  sweep.variant = sweep.before;
  EXPECT_EQ(role_words(role_of(sweep.reply.variants[0], sweep)), "as before");
  EXPECT_EQ(role_words(role_of(sweep.reply.variants[3], sweep)), "");
}

TEST(SweepData, TheFastestIsFirstAndWhatIsNotKnownIsNull) {
  StringTable strings;
  const json data = sweep_data(sample_sweep(), strings);
  const json texts = strings.to_json();
  EXPECT_EQ(data.at("tunables"), json({"ROWS", "THREADS", "VECTOR"}));
  EXPECT_EQ(data.at("varied"), json({0, 1}));
  ASSERT_EQ(data.at("rows").size(), 6u);
  const json &first = data.at("rows").at(0), &last = data.at("rows").at(5);
  EXPECT_EQ(first.at(0), json({1, 256, 8}));
  EXPECT_EQ(texts.at(first.at(3).get<std::size_t>()), "chosen");
  EXPECT_EQ(first.at(4), "69.00 us [68.75, 69.25]");
  EXPECT_EQ(first.at(8), 69.0);
  EXPECT_EQ(texts.at(last.at(1).get<std::size_t>()), "launch_error (registers)");
  EXPECT_EQ(texts.at(last.at(7).get<std::size_t>()), "too many resources");
  EXPECT_TRUE(last.at(5).is_null());
  EXPECT_EQ(last.size(), 8u) << "it has no time";
}

TEST(SweepMarkdown, ShowsTheFastestAndTheFirstAndSaysHowManyMoreThereAre) {
  core::SweepRecord sweep = *test::large_run(1).files[0].sweep;
  sweep.before = sweep.reply.variants.back().variant;
  const std::string text = sweep_markdown(7, sweep);
  EXPECT_TRUE(text.starts_with("### Variants of candidate 7\n")) << text;
  EXPECT_NE(text.find("| `ROWS=8 THREADS=256` | `correct` |"), std::string::npos) << text;
  EXPECT_NE(text.find("| before |"), std::string::npos) << text;
  EXPECT_NE(text.find("51 further ones"), std::string::npos) << text;
  EXPECT_EQ(sweep_markdown(7, core::SweepRecord{}), "");
}

TEST(SweepMarkdown, ABarIsAsLongAsItsTime) {
  core::SweepRecord sweep = sample_sweep();
  sweep.reply.variants[4].time->median_us = 138;  // twice the fastest
  std::vector<std::size_t> lengths;
  const std::string text = sweep_markdown(3, sweep), block = "█";
  for (auto line = text.find("| `ROWS"); line != std::string::npos; line = text.find("| `ROWS", line + 1)) {
    const std::string row = text.substr(line, text.find('\n', line) - line);
    std::size_t blocks = 0;
    for (auto at = row.find(block); at != std::string::npos; at = row.find(block, at + 1)) ++blocks;
    lengths.push_back(blocks);
  }
  EXPECT_EQ(lengths, (std::vector<std::size_t>{12, 13, 13, 24, 0, 0})) << text;
}

}  // namespace
}  // namespace kgen::report
