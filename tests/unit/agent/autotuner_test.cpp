#include "agent/autotuner.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unit/agent/fakes.hpp"

namespace kgen::test {
namespace {

using core::Verdict;

core::SearchOptions search_options(int candidates, const char* target = "1000x") {
  core::SearchOptions search;
  search.budget.candidates = candidates;
  search.target = core::parse_target(target).value();
  return search;
}

/// Three values of TT: 64 (the default) takes 100 us, 128 takes 70, 256 takes 130.
Fate tunable() {
  Fate fate;
  fate.us = 100;
  fate.variants = {{64, 100}, {128, 70}, {256, 130}};
  return fate;
}

std::string wide_plan() {
  return R"(/*kgen { "tunables": {"AA": [1, 2, 3, 4, 5, 6, 7, 8], "BB": [1, 2, 3, 4, 5, 6, 7, 8]},
    "defaults": {"AA": 4, "BB": 4}, "constraints": ["AA + BB < 16"],
    "launches": [ {"kernel": "k", "grid": [1], "block": ["AA * BB"], "args": ["x", "y"]} ] } */)";
}

TEST(ChooseVariants, DefaultsFirstThenAnOrderOfTheSeed) {
  const auto choose = [](std::uint64_t seed, int most) {
    return agent::choose_variants(wide_plan(), softmax_task(), fake_gpu(), most, seed).value();
  };
  const auto all = choose(1, 64);
  EXPECT_EQ(all.feasible, 63);
  EXPECT_EQ(std::set(all.variants.begin(), all.variants.end()).size(), 63u);
  EXPECT_EQ(all.variants.front(), (core::Variant{{"AA", 4}, {"BB", 4}}));
  EXPECT_EQ(choose(1, 64).variants, all.variants);
  EXPECT_NE(choose(2, 64).variants, all.variants);
  const auto few = choose(1, 10);
  EXPECT_EQ(few.variants.size(), 10u);
  EXPECT_EQ(few.feasible, 63);
  EXPECT_EQ(few.variants.front(), all.variants.front());
}

TEST(ChooseVariants, APlanThatIsWrongHasNone) {
  EXPECT_EQ(agent::count_variants("no plan", softmax_task(), fake_gpu()), 0);
  EXPECT_EQ(agent::count_variants(wide_plan(), softmax_task(), fake_gpu()), 63);
}

TEST(FasterVariants, OnlyThoseBeyondDoubtAndTheFastestFirst) {
  core::SweepReply reply;
  const auto add = [&](std::int64_t value, Verdict verdict, double us) {
    std::optional<core::Interval> time;
    if (verdict == Verdict::correct) time = core::Interval{us, us - 1, us + 1, 16};
    reply.variants.push_back({{{"TT", value}}, verdict, "", "", time, false, -1, -1});
  };
  add(1, Verdict::correct, 100);
  add(2, Verdict::correct, 90);
  add(3, Verdict::wrong_result, 10);
  add(4, Verdict::correct, 80);
  add(5, Verdict::correct, 98.5);  // its interval overlaps
  const auto faster = agent::faster_variants(reply);
  ASSERT_EQ(faster.size(), 2u);
  EXPECT_EQ(faster[0]->variant.at("TT"), 4);
  EXPECT_EQ(faster[1]->variant.at("TT"), 2);
  EXPECT_TRUE(agent::faster_variants({}).empty());
}

TEST(SweepInARun, TheFastestVariantIsPromotedAndItsValuesAreInTheBestKernel) {
  TestRun run(search_options(1, "auto"));
  ScriptedClient model(by_number({tunable()}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(judge.sweeps, 1);
  const auto state = run.stored().state;
  EXPECT_TRUE(state.candidates[0].swept);
  EXPECT_EQ(state.candidates[0].variant, (core::Variant{{"TT", 128}}));
  EXPECT_EQ(state.candidates[0].screen->time->median_us, 70);
  EXPECT_EQ(judge.requests.back().tier, core::Tier::promotion);
  EXPECT_EQ(judge.requests.back().variant, (core::Variant{{"TT", 128}}));
  EXPECT_EQ(agent::read_evaluation(run.paths, 1, core::Tier::screen)->variant, (core::Variant{{"TT", 128}}));
  const auto best = core::parse_plan(util::read_file(run.paths.best()).value());
  ASSERT_TRUE(best) << best.error().text();
  EXPECT_EQ(best->defaults, (core::Variant{{"TT", 128}}));
  const auto sweep = agent::read_sweep(run.paths, 1);
  ASSERT_TRUE(sweep) << sweep.error().text();
  EXPECT_EQ(sweep->feasible, 3);
  EXPECT_EQ(sweep->before, (core::Variant{{"TT", 64}}));
  EXPECT_EQ(sweep->reply.variants.size(), 3u);
}

TEST(SweepInARun, ADefaultThatIsTheFastestStays) {
  TestRun run(search_options(1));
  Fate fate = tunable();
  fate.variants = {{64, 100}, {128, 100.5}, {256, 130}};
  ScriptedClient model(by_number({fate}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const auto state = run.stored().state;
  EXPECT_TRUE(state.candidates[0].swept);
  EXPECT_EQ(state.candidates[0].variant, (core::Variant{{"TT", 64}}));
  EXPECT_EQ(judge.evaluations, 1) << "nothing else is judged in full";
  EXPECT_EQ(util::read_file(run.paths.best()).value(), util::read_file(run.paths.kernel(1)).value());
}

TEST(SweepInARun, AVariantThatAScreenOfItsOwnFindsWrongIsNeverChosen) {
  TestRun run(search_options(1));
  Fate fate = tunable();
  fate.variants = {{64, 100}, {128, 70}, {256, 80}};
  fate.wrong_in_screen = 128;
  ScriptedClient model(by_number({fate}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  EXPECT_EQ(run.stored().state.candidates[0].variant, (core::Variant{{"TT", 256}}));
  const auto sweep = agent::read_sweep(run.paths, 1);
  ASSERT_TRUE(sweep) << sweep.error().text();
  EXPECT_EQ(core::count_rejected(sweep->reply), 1);
  for (const auto& variant : sweep->reply.variants) {
    EXPECT_EQ(variant.verdict, variant.variant.at("TT") == 128 ? Verdict::wrong_result : Verdict::correct);
  }
}

TEST(SweepInARun, TheNextPromptShowsTheTunedKernelAndItsNeighbours) {
  TestRun run(search_options(4));
  ScriptedClient model(by_number({tunable(), {Verdict::compile_error}, {Verdict::compile_error}}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  bool shown = false;
  for (const auto& request : model.requests()) {
    if (request.prompt.user.find("goes on with TT=128") == std::string::npos) continue;
    shown = true;
    EXPECT_NE(request.prompt.user.find("\"defaults\": {\"TT\": 128}"), std::string::npos);
    EXPECT_NE(request.prompt.user.find("TT=256 | 130 us"), std::string::npos) << request.prompt.user;
  }
  EXPECT_TRUE(shown);
}

TEST(SweepInARun, IsNotMadeWhereItIsTurnedOffOrNothingIsTimed) {
  for (const bool off : {true, false}) {
    core::SearchOptions search = search_options(1);
    if (off) search.variants = 0;
    core::DeviceFacts device = fake_gpu();
    if (!off) device.kind = core::DeviceKind::emulator;
    TestRun run(search, device);
    ScriptedClient model(by_number({tunable()}));
    FakeEvaluator judge;
    ASSERT_TRUE(run.search_with({&model}, judge));
    EXPECT_EQ(judge.sweeps, 0);
    EXPECT_FALSE(run.stored().state.candidates[0].swept);
  }
}

TEST(SweepInARun, ACandidateFarBehindTheBestIsNotSwept) {
  TestRun run(search_options(2));
  Fate slow = tunable();
  slow.us = 1000;
  slow.variants = {{64, 1000}, {128, 900}};
  ScriptedClient model(by_number({tunable(), slow}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  EXPECT_EQ(judge.sweeps, 1);
}

TEST(SweepInARun, TriesAtMostAsManyVariantsAsAsked) {
  core::SearchOptions search = search_options(1);
  search.variants = 2;
  TestRun run(search);
  ScriptedClient model(by_number({tunable()}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  ASSERT_EQ(judge.sweep_requests.size(), 1u);
  EXPECT_EQ(judge.sweep_requests[0].variants.size(), 2u);
  EXPECT_EQ(agent::read_sweep(run.paths, 1)->feasible, 3);
}

TEST(SweepInARun, OneThatNeverReachedTheJournalIsMadeAgainInTheSameOrder) {
  TestRun run(search_options(1));
  ScriptedClient model(by_number({tunable()}));
  FakeEvaluator judge;
  judge.on_sweep = [&] { judge.failures_left = 2; };  // the screen behind it fails, and so does its one retry
  EXPECT_FALSE(run.search_with({&model}, judge));
  EXPECT_FALSE(run.stored().state.candidates[0].swept);
  judge.on_sweep = {};
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(run.stored().state.candidates[0].variant, (core::Variant{{"TT", 128}}));
  ASSERT_EQ(judge.sweep_requests.size(), 2u);
  EXPECT_EQ(judge.sweep_requests[0].variants, judge.sweep_requests[1].variants);
  EXPECT_EQ(judge.sweep_requests[0].seed, judge.sweep_requests[1].seed);
  EXPECT_EQ(model.asked(), std::vector<int>{1}) << "nothing is paid for again";
}

TEST(SweepInARun, AnotherDeviceSweepsAgain) {
  TestRun run(search_options(1));
  ScriptedClient model(by_number({tunable()}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  run.device = fake_gpu("Another GPU");
  ASSERT_TRUE(run.search_with({&model}, judge));
  EXPECT_EQ(judge.sweeps, 2);
}

}  // namespace
}  // namespace kgen::test
