#include "agent/agent_loop.hpp"

#include <gtest/gtest.h>

#include "unit/agent/fakes.hpp"

namespace kgen::test {
namespace {

using core::Outcome;
using core::Verdict;

core::SearchOptions options(int candidates, const char* target = "1000x") {
  core::SearchOptions search;
  search.budget.candidates = candidates;
  search.target = core::parse_target(target).value();
  return search;
}

TEST(AgentLoop, FinishesAtTheFirstPromotedKernelThatMeetsTheTarget) {
  TestRun run(options(12, "auto"));
  ScriptedClient model(by_number({{Verdict::compile_error}, {Verdict::correct, 100}}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->outcome, Outcome::target_met);
  EXPECT_EQ(finished->best, 2);
  EXPECT_EQ(model.asked(), (std::vector<int>{1, 2}));
  EXPECT_EQ(judge.promotions, 1);
  EXPECT_EQ(util::read_file(run.paths.best()).value(), util::read_file(run.paths.kernel(2)).value());
}

TEST(AgentLoop, ExploresThenRepairsThenRefinesWithinTheBudget) {
  TestRun run(options(8));
  ScriptedClient model(by_number({{Verdict::compile_error},
                                  {Verdict::correct, 140},
                                  {Verdict::wrong_result},
                                  {Verdict::fault},
                                  {Verdict::correct, 120},
                                  {Verdict::correct, 90}}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  const auto state = run.stored().state;
  std::vector<std::pair<core::Purpose, int>> asked;
  for (const auto& candidate : state.candidates) asked.emplace_back(candidate.purpose, candidate.parent);
  using P = core::Purpose;
  const std::vector<std::pair<P, int>> expected{{P::plan, 0},   {P::plan, 0},   {P::plan, 0},
                                                {P::repair, 3}, {P::repair, 1}, {P::refine, 5},
                                                {P::refine, 6}, {P::refine, 6}};
  EXPECT_EQ(asked, expected);
  EXPECT_NE(state.candidates[0].hint, state.candidates[1].hint);
  EXPECT_NE(state.candidates[6].hint, state.candidates[7].hint);
  EXPECT_EQ(finished->outcome, Outcome::faster);
  EXPECT_EQ(finished->reason, "budget: 8 candidates");
}

TEST(AgentLoop, AsksForNoProfileOfCandidatesMuchSlowerThanTheBest) {
  TestRun run(options(3));
  ScriptedClient model(by_number({{Verdict::wrong_result}, {Verdict::correct, 140}, {Verdict::correct, 90}}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  double best = 0;  // of those judged before, as the judge timed them
  for (const auto& request : judge.requests) {
    EXPECT_TRUE(request.profile);
    EXPECT_DOUBLE_EQ(request.profile_below_us, 1.5 * best);
    if (request.source.find("us: 140") != std::string::npos && best == 0) best = 140;
    if (request.source.find("us: 90") != std::string::npos) best = 90;
  }
  EXPECT_EQ(best, 90);
}

/// What the model read, of a run whose first kernel has a profile with one bottleneck.
std::string words_of_prompts(bool diagnosis) {
  core::SearchOptions search = options(3);
  search.diagnosis = diagnosis;
  TestRun run(search);
  ScriptedClient model(by_number({{Verdict::correct, 140}, {Verdict::correct, 120}, {Verdict::correct, 90}}));
  FakeEvaluator judge;
  judge.profile = core::Profile{};
  judge.profile->source = "CUPTI";
  judge.profile->kernels.push_back(
      {"k",
       {{"gpu__time_duration.sum", 100000}, {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 91}},
       {}});
  EXPECT_TRUE(run.search_with({&model}, judge));
  const auto kept = agent::read_evaluation(run.paths, 1, core::Tier::screen);
  EXPECT_TRUE(kept && kept->profile) << "the evaluation keeps its profile";
  EXPECT_EQ(run.stored().record.search.diagnosis, diagnosis);
  std::string words;
  for (const auto& request : model.requests()) words += request.prompt.system + request.prompt.user;
  return words;
}

TEST(AgentLoop, ShowsTheModelADiagnosisOnlyWhereTheRunSaysSo) {
  EXPECT_NE(words_of_prompts(true).find("DRAM is busy at 91%"), std::string::npos);
  const std::string without = words_of_prompts(false);
  EXPECT_NE(without.find("Median"), std::string::npos);  // its time is shown all the same
  EXPECT_EQ(without.find("DRAM is busy"), std::string::npos);
  EXPECT_EQ(without.find("CUPTI"), std::string::npos);
}

TEST(AgentLoop, TakesTheNextBestWherePromotionFails) {
  TestRun run(options(3));
  ScriptedClient model(by_number(
      {{Verdict::correct, 140}, {Verdict::correct, 60, Verdict::wrong_result}, {Verdict::correct, 120}}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->best, 3);
  EXPECT_EQ(finished->outcome, Outcome::faster);
  EXPECT_EQ(judge.promotions, 2);
}

TEST(AgentLoop, KeepsTheLibraryWhereNothingBeatsIt) {
  TestRun run(options(2));
  ScriptedClient model(by_number({{Verdict::correct, 300}, {Verdict::correct, 400}}));
  FakeEvaluator judge;
  EXPECT_EQ(run.search_with({&model}, judge)->outcome, Outcome::keep_library);
}

TEST(AgentLoop, SaysNoCorrectKernelAfterTheBudget) {
  TestRun run(options(4));
  ScriptedClient model(by_number({{Verdict::wrong_result}}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  EXPECT_EQ(finished->outcome, Outcome::no_correct_kernel);
  EXPECT_EQ(finished->best, 0);
  EXPECT_FALSE(std::filesystem::exists(run.paths.best()));
}

TEST(AgentLoop, StopsAtAPlateau) {
  core::SearchOptions search = options(50);
  search.plateau = 3;
  TestRun run(search);
  ScriptedClient model(by_number({{Verdict::correct, 100}, {Verdict::correct, 120}}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished);
  EXPECT_NE(finished->reason.find("plateau"), std::string::npos) << finished->reason;
  EXPECT_LT(model.asked().size(), 12u);
}

TEST(AgentLoop, StopsWhenTokensDollarsOrMinutesAreSpent) {
  for (const char* kind : {"tokens", "dollars", "minutes"}) {
    core::SearchOptions search = options(50);
    if (kind == std::string("tokens")) search.budget.tokens = 2400;
    if (kind == std::string("dollars")) search.budget.dollars = 0.02;
    if (kind == std::string("minutes")) search.budget.minutes = 1e-9;
    TestRun run(search);
    ScriptedClient model(by_number({{Verdict::wrong_result}}));
    FakeEvaluator judge;
    const auto finished = run.search_with({&model}, judge);
    ASSERT_TRUE(finished);
    EXPECT_NE(finished->reason.find(kind), std::string::npos) << finished->reason;
    EXPECT_LE(model.asked().size(), 2u) << kind;
  }
}

TEST(AgentLoop, WithNoDeviceEndsAtTheFirstKernelThatCompiles) {
  core::DeviceFacts none = core::facts_for_arch("sm_90a").value();
  TestRun run(options(6), none);
  ScriptedClient model(by_number({{Verdict::compile_error}, {Verdict::correct}}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->outcome, Outcome::unmeasured);
  EXPECT_EQ(finished->best, 2);
  EXPECT_EQ(finished->reason, "compiled; not run");
  EXPECT_EQ(judge.promotions, 0);
  EXPECT_EQ(core::exit_code_for(finished->outcome), core::ExitCode::ok);
}

TEST(AgentLoop, OnTheEmulatorPromotesTheFirstCorrectKernel) {
  core::DeviceFacts emulator = fake_gpu("emulator");
  emulator.kind = core::DeviceKind::emulator;
  TestRun run(options(6), emulator);
  ScriptedClient model(
      by_number({{Verdict::race}, {Verdict::correct, 0, Verdict::race}, {Verdict::correct}}));
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->outcome, Outcome::unmeasured);
  EXPECT_EQ(finished->best, 3);
}

TEST(AgentLoop, ContinuesACutReplyOnceAndJoinsIt) {
  TestRun run(options(1, "auto"));
  const std::string whole = reply_with({}, 1);
  ScriptedClient model([&](const llm::Request& request) -> Result<llm::Reply> {
    const bool rest = request.prompt.user.find("cut off by its length") != std::string::npos;
    llm::Reply reply;
    reply.text = rest ? whole.substr(60) : whole.substr(0, 60);
    reply.stop = rest ? llm::StopReason::end_turn : llm::StopReason::max_tokens;
    return reply;
  });
  FakeEvaluator judge;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->outcome, Outcome::target_met);
  EXPECT_EQ(model.asked(), (std::vector<int>{1, 1}));
  EXPECT_EQ(util::read_file(run.paths.reply(1)).value(), whole);
  EXPECT_EQ(run.stored().state.ledger.replies, 2);
}

/// The prompts of a run whose first reply ends as `first`, and whose second and third hold no file.
std::vector<std::string> prompts_around_replies_without_a_file(const Fate& first) {
  core::SearchOptions search = options(4);
  search.explore = 1;
  TestRun run(search);
  ScriptedClient model([&](const llm::Request& request) -> Result<llm::Reply> {
    llm::Reply reply;
    reply.text = request.candidate == 1 ? reply_with(first, 1) : "I would rather explain it.";
    return reply;
  });
  FakeEvaluator judge;
  EXPECT_TRUE(run.search_with({&model}, judge));
  std::vector<std::string> prompts;
  for (const auto& request : model.requests()) prompts.push_back(request.prompt.user);
  return prompts;
}

// What an answer without a file was to repair is shown again, and why it could not be used.
TEST(AgentLoop, AReplyWithoutAFileIsAskedForAgainWithWhatItWasAbout) {
  const auto prompts = prompts_around_replies_without_a_file({Verdict::wrong_result});
  ASSERT_EQ(prompts.size(), 4U);
  for (const std::size_t i : {2U, 3U}) {
    SCOPED_TRACE(prompts[i]);
    EXPECT_NE(prompts[i].find("# Candidate 1\n\n```cuda"), std::string::npos);
    EXPECT_NE(prompts[i].find("(candidate " + std::to_string(i) + ") could not be used"), std::string::npos);
    EXPECT_NE(prompts[i].find("Candidate 1 is not acceptable: wrong_result"), std::string::npos);
  }
}

TEST(AgentLoop, ARefusalIsCountedAndNotArguedWith) {
  TestRun run(options(3));
  ScriptedClient model([](const llm::Request& request) -> Result<llm::Reply> {
    if (request.candidate > 1) return by_number({{Verdict::correct, 100}})(request);
    llm::Reply reply;
    reply.stop = llm::StopReason::refusal;
    reply.stop_detail = "cyber: not this";
    reply.cost_usd = 0.5;
    return reply;
  });
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const auto state = run.stored().state;
  EXPECT_EQ(state.candidates[0].screen->kind, "refusal");
  EXPECT_NE(state.candidates[0].screen->message.find("(cyber: not this)"), std::string::npos);
  EXPECT_EQ(state.candidates[1].purpose, core::Purpose::plan);
  EXPECT_NE(state.candidates[1].hint, state.candidates[0].hint);
  EXPECT_NEAR(state.ledger.total.cost_usd.value(), 0.52, 1e-9);
}

TEST(AgentLoop, RetriesADeadWorkerOnceThenGivesTheErrorUp) {
  TestRun run(options(2));
  ScriptedClient model(by_number({{Verdict::correct, 100}}));
  FakeEvaluator judge;
  judge.failures_left = 1;
  ASSERT_TRUE(run.search_with({&model}, judge));
  EXPECT_EQ(judge.restarts, 1);

  TestRun other(options(2));
  judge.failures_left = 2;
  const auto finished = other.search_with({&model}, judge);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().kind, ErrorKind::missing);
  EXPECT_TRUE(other.search_with({&model}, judge)) << "the run goes on once the worker is back";
}

TEST(AgentLoop, AProviderFailureLeavesTheRunResumable) {
  TestRun run(options(2));
  ScriptedClient broken(
      [](const llm::Request&) -> Result<llm::Reply> { return fail(ErrorKind::provider, "HTTP 500"); });
  FakeEvaluator judge;
  const auto failed = run.search_with({&broken}, judge);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::provider);
  ScriptedClient model(by_number({{Verdict::correct, 100}}));
  ASSERT_TRUE(run.search_with({&model}, judge));
  EXPECT_EQ(model.asked(), (std::vector<int>{1, 2}));
  EXPECT_EQ(run.stored().state.ledger.possibly_paid, 0);
}

TEST(AgentLoop, FailedAttemptsStandInTheLedger) {
  TestRun run(options(1));
  ScriptedClient model([](const llm::Request& request) -> Result<llm::Reply> {
    llm::FailedAttempt attempt;
    attempt.problem = "cut stream";
    attempt.possibly_paid = true;
    attempt.usage.input_tokens = 700;
    attempt.cost_usd = 0.25;
    request.attempt_failed(attempt);
    return by_number({{Verdict::correct, 100}})(request);
  });
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const auto ledger = run.stored().state.ledger;
  EXPECT_EQ(ledger.failed_attempts, 1);
  EXPECT_EQ(ledger.possibly_paid, 1);
  EXPECT_EQ(ledger.total.input_tokens, 1700);
  EXPECT_NEAR(ledger.total.cost_usd.value(), 0.26, 1e-9);
}

TEST(AgentLoop, TheEndOfATranscriptEndsTheSearchWithTheBestSoFar) {
  TestRun run(options(12));
  ScriptedClient replay(
      [](const llm::Request& request) -> Result<llm::Reply> {
        if (request.candidate > 2) return fail(ErrorKind::provider, "the transcript has 2 replies");
        auto reply = by_number({{Verdict::correct, 140}, {Verdict::correct, 100}})(request);
        reply->prompt_matches = request.candidate == 1;
        return reply;
      },
      "replay");
  FakeEvaluator judge;
  const auto finished = run.search_with({&replay}, judge, false);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->best, 2);
  EXPECT_EQ(finished->outcome, Outcome::faster);
  const auto state = run.stored().state;
  EXPECT_EQ(state.candidates[0].prompt_matches, true);
  EXPECT_EQ(state.candidates[1].prompt_matches, false);
}

TEST(AgentLoop, EveryEvaluationHasASeedOfItsOwn) {
  TestRun run(options(5));
  ScriptedClient model(by_number({{Verdict::correct, 140}, {Verdict::correct, 130}, {Verdict::correct, 90}}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  auto seeds = judge.seeds;
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::adjacent_find(seeds.begin(), seeds.end()), seeds.end());
}

}  // namespace
}  // namespace kgen::test
