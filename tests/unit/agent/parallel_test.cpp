#include <gtest/gtest.h>

#include <condition_variable>

#include "llm/manual_client.hpp"
#include "unit/agent/fakes.hpp"

namespace kgen::test {
namespace {

using core::Verdict;

core::SearchOptions parallel_search(int parallel, int candidates, const char* target = "1000x") {
  core::SearchOptions search;
  search.parallel = parallel;
  search.budget.candidates = candidates;
  search.target = core::parse_target(target).value();
  return search;
}

TEST(Parallel, ManualWritesSeveralPromptsAndStopsWaiting) {
  TestRun run(parallel_search(3, 5));
  const auto manual = llm::make_manual_client("a person");
  FakeEvaluator judge;
  const auto waiting = run.search_with({manual.get()}, judge, false);
  ASSERT_FALSE(waiting);
  EXPECT_EQ(waiting.error().kind, ErrorKind::waiting);
  std::string prompts;
  for (int number = 1; number <= 3; ++number) {
    EXPECT_NE(waiting.error().message.find(run.paths.reply(number).string()), std::string::npos);
    prompts += util::content_hash(util::read_file(run.paths.prompt(number)).value()) + " ";
  }
  EXPECT_NE(prompts.substr(0, 16), prompts.substr(17, 16)) << "each explores another strategy";
  EXPECT_FALSE(std::filesystem::exists(run.paths.prompt(4)));
}

TEST(Parallel, ManualTakesTheRepliesThatAreThereAndWritesNewPrompts) {
  TestRun run(parallel_search(3, 5));
  const auto manual = llm::make_manual_client("a person");
  FakeEvaluator judge;
  ASSERT_FALSE(run.search_with({manual.get()}, judge, false));
  const std::string second_prompt = util::read_file(run.paths.prompt(2)).value();
  ASSERT_TRUE(util::write_file_atomic(run.paths.reply(1), reply_with({Verdict::correct, 140}, 1)));
  ASSERT_TRUE(util::write_file_atomic(run.paths.reply(3), reply_with({Verdict::compile_error}, 3)));
  const auto waiting = run.search_with({manual.get()}, judge, false);
  ASSERT_FALSE(waiting);
  EXPECT_EQ(waiting.error().kind, ErrorKind::waiting);
  EXPECT_EQ(judge.evaluations, 2);
  EXPECT_EQ(util::read_file(run.paths.prompt(2)).value(), second_prompt) << "an open prompt stays as it is";
  const auto state = run.stored().state;
  ASSERT_EQ(state.candidates.size(), 5u);
  EXPECT_EQ(state.candidates[3].purpose, core::Purpose::repair);
  EXPECT_EQ(state.ledger.possibly_paid, 0);

  for (const int number : {2, 4, 5})
    ASSERT_TRUE(util::write_file_atomic(run.paths.reply(number),
                                        reply_with({Verdict::correct, 100.0 + number}, number)));
  const auto finished = run.search_with({manual.get()}, judge, false);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->best, 2);
}

TEST(Parallel, ManualFinishesWhenTheTargetIsMetThoughPromptsAreOpen) {
  TestRun run(parallel_search(2, 8, "auto"));
  const auto manual = llm::make_manual_client("");
  FakeEvaluator judge;
  ASSERT_FALSE(run.search_with({manual.get()}, judge, false));
  ASSERT_TRUE(util::write_file_atomic(run.paths.reply(2), reply_with({Verdict::correct, 90}, 2)));
  const auto finished = run.search_with({manual.get()}, judge, false);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->best, 2);
}

TEST(Parallel, OtherProvidersAreAskedBesideEachOther) {
  TestRun run(parallel_search(3, 3));
  std::mutex mutex;
  std::condition_variable all_here;
  int here = 0;
  const auto script = [&](const llm::Request& request) -> Result<llm::Reply> {
    std::unique_lock lock(mutex);
    if (++here == 3) all_here.notify_all();
    const bool together = all_here.wait_for(lock, std::chrono::seconds(30), [&] { return here >= 3; });
    if (!together) return fail(ErrorKind::provider, "asked one after the other");
    return by_number({{Verdict::correct, 100}})(request);
  };
  ScriptedClient a(script), b(script), c(script);
  FakeEvaluator judge;
  const auto finished = run.search_with({&a, &b, &c}, judge);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(run.stored().state.ledger.replies, 3);
}

TEST(Parallel, AFailureOfOneCallKeepsTheRepliesOfTheOthers) {
  TestRun run(parallel_search(2, 4));
  ScriptedClient good(by_number({{Verdict::correct, 100}})),
      bad([](const llm::Request& request) -> Result<llm::Reply> {
        if (request.candidate == 2) return fail(ErrorKind::provider, "HTTP 500");
        return by_number({{Verdict::correct, 100}})(request);
      });
  FakeEvaluator judge;
  const auto failed = run.search_with({&good, &bad}, judge);
  ASSERT_FALSE(failed);
  const auto state = run.stored().state;
  EXPECT_GE(state.ledger.replies, 1);
  EXPECT_EQ(state.find(2)->phase, core::CandidateState::Phase::to_ask);
  EXPECT_TRUE(run.search_with({&good, &good}, judge));
}

}  // namespace
}  // namespace kgen::test
