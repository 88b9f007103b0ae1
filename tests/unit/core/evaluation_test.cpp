#include "core/evaluation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "util/json.hpp"

namespace kgen::core {
namespace {

TEST(Evaluation, SurvivesTheWireWithNanAndInf) {
  Evaluation e;
  e.verdict = Verdict::wrong_result;
  e.tier = Tier::promotion;
  e.seed = std::numeric_limits<std::uint64_t>::max();
  e.flags = {"noisy"};
  Check check;
  check.name = "values";
  check.state = Check::State::failed;
  check.worst_ratio = std::numeric_limits<double>::infinity();
  check.mismatch = Mismatch{1, 2, {{"y", {0, 3}, 1.0, std::nan(""), 0.5}}, "tail"};
  e.checks.push_back(check);
  e.timing = Timing{};
  e.timing->baselines.push_back({"torch eager", true, "torch", Interval{1, 0.9, 1.1, 7}, "", 2, 1.9, 2.1,
                                 "the quickest of 9 algorithms"});
  const auto text = to_json(e).dump();
  const auto back = evaluation_from_json(nlohmann::json::parse(text));
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(to_json(*back).dump(), text);
  EXPECT_TRUE(std::isnan(back->checks[0].mismatch->worst[0].got));
  EXPECT_EQ(back->seed, e.seed);
}

TEST(Evaluation, MinusZeroKeepsItsSignOnTheWire) {
  Evaluation e;
  Check check;
  check.mismatch = Mismatch{1, 2, {{"y", {0}, -0.0, 0.0, 0.0}}, ""};
  e.checks.push_back(check);
  const auto back = evaluation_from_json(nlohmann::json::parse(to_json(e).dump()));
  ASSERT_TRUE(back) << back.error().text();
  const WrongElement& element = back->checks[0].mismatch->worst[0];
  EXPECT_TRUE(std::signbit(element.expected));
  EXPECT_FALSE(std::signbit(element.got));
}

TEST(Evaluation, RefusesUnknownVerdicts) {
  auto json = to_json(Evaluation{});
  json["verdict"] = "fine";
  EXPECT_FALSE(evaluation_from_json(json));
  json.erase("verdict");
  EXPECT_FALSE(evaluation_from_json(json));
}

TEST(Evaluation, EveryVerdictHasItsName) {
  for (int i = 0; i <= static_cast<int>(Verdict::correct); ++i) {
    EXPECT_EQ(parse_verdict(name_of(static_cast<Verdict>(i))), static_cast<Verdict>(i));
  }
  EXPECT_EQ(name_of(Verdict::correct), "correct");
}

}  // namespace
}  // namespace kgen::core
