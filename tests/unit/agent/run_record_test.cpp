#include "core/run_record.hpp"

#include <gtest/gtest.h>

#include "agent/ranking.hpp"
#include "agent/search.hpp"
#include "core/run_state.hpp"
#include "unit/agent/fakes.hpp"
#include "util/json.hpp"

namespace kgen::test {
namespace {

using core::Target;
using core::Verdict;

TEST(RunTarget, ReadsItsThreeForms) {
  EXPECT_EQ(core::parse_target("auto")->kind, Target::Kind::automatic);
  EXPECT_EQ(core::parse_target("1.1x")->kind, Target::Kind::speedup);
  EXPECT_DOUBLE_EQ(core::parse_target("1.1x")->value, 1.1);
  EXPECT_EQ(core::parse_target("90%")->kind, Target::Kind::roofline);
  for (const char* text : {"auto", "1.1x", "90%"})
    EXPECT_EQ(core::text_of(core::parse_target(text).value()), text);
  for (const char* text : {"", "x", "%", "1.1", "-1x", "0x", "1.1xx", "nanx", "fast"})
    EXPECT_FALSE(core::parse_target(text)) << text;
}

core::EvaluationSummary timed(double speedup_low, double percent, bool library = true) {
  core::EvaluationSummary summary;
  summary.verdict = Verdict::correct;
  summary.time = core::Interval{100, 99, 101, 50};
  if (library) summary.library = "torch.compile";
  summary.speedup_low = speedup_low;
  summary.percent_of_roofline = percent;
  return summary;
}

TEST(RunTarget, AutomaticAsksForALibraryOrForRoofline) {
  EXPECT_TRUE(core::meets({}, timed(1.01, 10)));
  EXPECT_FALSE(core::meets({}, timed(1.0, 99)));
  EXPECT_TRUE(core::meets({}, timed(0, 80, false)));
  EXPECT_FALSE(core::meets({}, timed(0, 79.9, false)));
}

TEST(RunTarget, AnImplausibleTimeMeetsNothing) {
  auto summary = timed(3, 200);
  summary.flags = {"implausible_time"};
  EXPECT_FALSE(core::meets({}, summary));
  EXPECT_FALSE(core::meets({Target::Kind::roofline, 50}, summary));
}

TEST(EvaluationSummary, ComparesWithTheStrongestLibrary) {
  core::Evaluation evaluation;
  evaluation.verdict = Verdict::correct;
  evaluation.timing.emplace();
  for (const auto& [name, library, speedup] :
       {std::tuple{"naive", false, 0.5}, std::tuple{"torch eager", true, 2.0},
        std::tuple{"torch.compile", true, 1.2}}) {
    core::BaselineTiming baseline;
    baseline.name = name;
    baseline.library = library;
    baseline.time = core::Interval{};
    baseline.speedup = speedup;
    evaluation.timing->baselines.push_back(baseline);
  }
  EXPECT_EQ(core::summarize(evaluation).library, "torch.compile");
}

TEST(RunRecord, ComesBackFromItsJson) {
  core::RunRecord record;
  record.name = "softmax-1";
  record.created_at = "2026-01-02T03:04:05Z";
  record.task = softmax_task();
  record.device = fake_gpu();
  record.search.budget.tokens = 5;
  record.search.budget.minutes = 2.5;
  record.search.target = core::parse_target("1.25x").value();
  record.seed = 0xffffffffffffffffu;
  record.config = R"({"base_url":"http://127.0.0.1:1"})";
  record.versions = {{"kgen", "0.1"}};
  const auto json = core::to_json(record);
  const auto read = core::run_record_from_json(json);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(core::to_json(*read), json);
  EXPECT_EQ(read->seed, record.seed);
}

TEST(RunRecord, OfANewerKgenIsRefused) {
  core::RunRecord record;
  record.task = softmax_task();
  auto json = core::to_json(record);
  json["schema"] = 99;
  const auto read = core::run_record_from_json(json);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("newer"), std::string::npos);
}

TEST(RunEvents, EveryEventComesBackFromItsLine) {
  core::AskIntended ask{3, 1, core::Purpose::refine, 2, "last wave", "abc"};
  ask.paid = true;
  core::ReplyReceived reply{3, 2, "end_turn"};
  reply.spend = {10, 2, 5, 0.25};
  reply.prompt_matches = false;
  reply.recovered = true;
  core::Evaluated evaluated{3, timed(1.2, 88)};
  evaluated.summary.flags = {"noisy"};
  evaluated.notes = "one \"quoted\"\nnote";
  evaluated.variants = 12;
  const std::vector<core::EventBody> bodies{core::RunStarted{},
                                            core::Resumed{{}, "replay"},
                                            core::DeviceChanged{fake_gpu()},
                                            core::BaselinesMeasured{{core::BaselineTiming{}}},
                                            ask,
                                            reply,
                                            core::AttemptFailed{3, "HTTP 500", {1, 0, 0, {}}, true},
                                            core::AskFailed{3, "gone"},
                                            core::ReplyAwaited{3},
                                            core::AskLost{3, true},
                                            core::RepliesExhausted{4},
                                            evaluated,
                                            core::Swept{3, 4, 1, {{"BM", 64}}, "why", timed(1.3, 90)},
                                            core::Interrupted{},
                                            core::Finished{core::Outcome::faster, 3, "plateau"},
                                            core::Reviewed{true, "anna", "a \"note\"\nof two lines"}};
  EXPECT_EQ(bodies.size(), std::variant_size_v<core::EventBody>);
  for (const core::EventBody& body : bodies) {
    const std::string line = core::journal_line({"2026-01-02T03:04:05Z", 1.5, body});
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto read = core::event_from_line(line);
    ASSERT_TRUE(read) << line << read.error().text();
    EXPECT_EQ(core::journal_line(*read), line);
    EXPECT_EQ(read->body.index(), body.index());
  }
}

TEST(RunEvents, WhatIsNoEventIsRefused) {
  for (const char* line :
       {"", "{", "[]", "{}", R"({"at":"x","active_s":0,"event":"nothing"})",
        R"({"at":"x","active_s":0,"event":"ask_lost","candidate":-1,"possibly_paid":true})",
        R"({"at":"x","active_s":0,"event":"ask_lost","candidate":"1","possibly_paid":true})"})
    EXPECT_FALSE(core::event_from_line(line)) << line;
}

TEST(RunState, EventsThatMakeNoSenseChangeNothing) {
  core::RunRecord record;
  record.task = softmax_task();
  record.device = fake_gpu();
  const std::vector<core::EventBody> strange{core::ReplyReceived{7, 1, "end_turn"},
                                             core::Evaluated{9, timed(1, 1)},
                                             core::AskLost{2, true},
                                             core::ReplyAwaited{1},
                                             core::AskIntended{5, 1},
                                             core::RepliesExhausted{3}};
  core::RunState state = core::initial_state(record);
  for (const auto& body : strange) core::apply(state, {"", 0, body});
  EXPECT_TRUE(state.candidates.empty());
  EXPECT_NO_THROW(static_cast<void>(agent::next_step(state)));
}

TEST(RunState, TheNewestReviewOfAResultCountsAndANewSearchEndsIt) {
  core::RunRecord record;
  record.task = softmax_task();
  core::RunState state = core::initial_state(record);
  core::apply(state, {"t0", 0, core::Reviewed{true, "anna", "too early"}});
  EXPECT_FALSE(state.review);
  core::apply(state, {"t1", 0, core::Finished{core::Outcome::faster, 1, "plateau"}});
  core::apply(state, {"t2", 0, core::Reviewed{true, "anna", "fine"}});
  core::apply(state, {"t3", 0, core::Reviewed{false, "bert", "on second thoughts"}});
  ASSERT_TRUE(state.review);
  EXPECT_FALSE(state.review->decision.accepted);
  EXPECT_EQ(state.review->decision.by, "bert");
  EXPECT_EQ(state.review->at, "t3");
  core::apply(state, {"t4", 0, core::Resumed{{}, "replay"}});
  EXPECT_FALSE(state.review);
}

TEST(RunState, AReviewCountsAgainWhereARunThatGoesOnEndsWithTheSameResult) {
  const core::Finished result{core::Outcome::faster, 1, "plateau"};
  const core::EventBody resumed = core::Resumed{{}, "replay"};
  const auto reviewed_after = [&](const std::vector<core::EventBody>& later) {
    core::RunRecord record;
    record.task = softmax_task();
    core::RunState state = core::initial_state(record);
    for (const core::EventBody& body : std::vector<core::EventBody>{core::AskIntended{1}, result})
      core::apply(state, {"t1", 0, body});
    core::apply(state, {"t2", 0, core::Reviewed{true, "anna", "fine"}});
    for (const core::EventBody& body : later) core::apply(state, {"t3", 0, body});
    return state.review.has_value();
  };
  EXPECT_TRUE(reviewed_after({resumed, result}));
  EXPECT_TRUE(reviewed_after({resumed, core::Interrupted{}, resumed, result}));
  EXPECT_FALSE(reviewed_after({resumed, core::Finished{core::Outcome::target_met, 1, "target met"}}));
  EXPECT_FALSE(reviewed_after({resumed, core::Finished{core::Outcome::faster, 2, "plateau"}}));
  EXPECT_FALSE(reviewed_after({resumed, core::BaselinesMeasured{}, result}));
  EXPECT_FALSE(reviewed_after({resumed, core::Evaluated{1, {}}, result}));
  EXPECT_FALSE(reviewed_after({resumed, core::DeviceChanged{}, result}));
  EXPECT_FALSE(reviewed_after({resumed, core::Swept{1}, result}));
}

TEST(Search, ExplorationFitsTheBudget) {
  for (const auto& [candidates, plans] : {std::pair{1, 1}, {2, 1}, {3, 2}, {5, 3}, {12, 3}}) {
    core::SearchOptions search;
    search.budget.candidates = candidates;
    EXPECT_EQ(agent::exploration_size(search), plans) << candidates;
  }
}

}  // namespace
}  // namespace kgen::test
