#include "prompt/sweep_text.hpp"

#include <gtest/gtest.h>

namespace kgen::prompt {
namespace {

using core::Verdict;

core::SweptVariant timed(std::int64_t bm, std::int64_t bn, double us) {
  return {{{"BM", bm}, {"BN", bn}},       Verdict::correct, "", "",
          core::Interval{us, us, us, 16}, us > 200,         40, 0};
}

core::SweepRecord some_sweep() {
  core::SweepRecord sweep;
  sweep.feasible = 30;
  sweep.before = {{"BM", 64}, {"BN", 64}};
  sweep.variant = {{"BM", 128}, {"BN", 64}};
  sweep.reason = "1.5 times as fast";
  sweep.reply.variants = {timed(64, 64, 150), timed(128, 64, 100)};
  for (int i = 1; i <= 8; ++i) sweep.reply.variants.push_back(timed(32, 8 * i, 100 + i));
  sweep.reply.variants.push_back(timed(128, 256, 300));
  for (int i = 0; i < 6; ++i)
    sweep.reply.variants.push_back(
        {{{"BM", 512}, {"BN", i}}, Verdict::wrong_result, "", "rows are wrong", std::nullopt, false, 40, 0});
  return sweep;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SweepText, SaysWhatItGoesOnWithAndWhy) {
  const std::string text = sweep_text(some_sweep());
  EXPECT_TRUE(has(text, "tried 17 of the 30 variants")) << text;
  EXPECT_TRUE(has(text, "It goes on with BM=128 BN=64: 1.5 times as fast.")) << text;
}

TEST(SweepText, ShowsTheFastestTheNeighboursAndWhatItBeganWith) {
  const std::string text = sweep_text(some_sweep());
  EXPECT_TRUE(has(text, "| BM=128 BN=64 | 100 us | 40 | 0 | goes on |")) << text;
  EXPECT_TRUE(has(text, "| BM=64 BN=64 | 150 us | 40 | 0 | judged first |")) << text;
  EXPECT_TRUE(has(text, "| BM=128 BN=256 | 300 us, stopped early | 40 | 0 | neighbour |")) << text;
  EXPECT_TRUE(has(text, "BM=32 BN=8 ")) << text;
  EXPECT_FALSE(has(text, "BM=32 BN=48 ")) << "neither fast nor near: " << text;
}

TEST(SweepText, ListsWhatWasRejectedUpToALimit) {
  const std::string text = sweep_text(some_sweep());
  EXPECT_TRUE(has(text, "- rejected: BM=512 BN=0: wrong_result, rows are wrong")) << text;
  EXPECT_TRUE(has(text, "- and 2 further ones rejected")) << text;
  EXPECT_FALSE(has(text, "BM=512 BN=5")) << text;
}

}  // namespace
}  // namespace kgen::prompt
