#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "unit/agent/fakes.hpp"

namespace kgen::test {
namespace {

namespace fs = std::filesystem;
using core::Verdict;

core::SearchOptions small_search() {
  core::SearchOptions search;
  search.budget.candidates = 7;
  search.target = core::parse_target("1000x").value();
  return search;
}

std::vector<Fate> fates() {
  return {{Verdict::compile_error}, {Verdict::correct, 140},
          {Verdict::wrong_result},  {Verdict::correct, 60, Verdict::nondeterministic},
          {Verdict::correct, 110},  {Verdict::fault},
          {Verdict::correct, 100}};
}

std::vector<std::string> journal_of(const TestRun& run) {
  return util::read_lines(run.paths.journal()).value();
}

void cut_journal(const TestRun& run, const std::vector<std::string>& lines, std::size_t kept,
                 const std::string& torn) {
  std::ofstream out(run.paths.journal(), std::ios::trunc | std::ios::binary);
  for (std::size_t i = 0; i < kept; ++i) out << lines[i] << '\n';
  out << torn;
}

/// Lines of the journal that say how an evaluation ended.
std::size_t judged_lines(const std::vector<std::string>& lines, std::size_t kept) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(kept),
                    [](const std::string& line) { return line.find("\"evaluated\"") != std::string::npos; }));
}

TEST(Resume, AfterAnyPrefixOfTheJournalTheRunEndsTheSame) {
  TestRun whole(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(whole.search_with({&model}, judge));
  const std::string expected = fingerprint(whole);
  const auto lines = journal_of(whole);
  ASSERT_GT(lines.size(), 20u);

  for (std::size_t kept = 0; kept <= lines.size(); ++kept) {
    const std::string torn = kept % 2 == 0 ? "" : "{\"event\": \"rep";
    TestRun run(small_search());
    fs::copy(whole.paths.root, run.paths.root,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    cut_journal(run, lines, kept, torn);
    ScriptedClient again(by_number(fates()));
    FakeEvaluator again_judge;
    const auto finished = run.search_with({&again}, again_judge);
    ASSERT_TRUE(finished) << kept << ": " << finished.error().text();
    EXPECT_EQ(fingerprint(run), expected) << "after " << kept << " lines";
    const std::size_t judged = static_cast<std::size_t>(again_judge.evaluations + again_judge.promotions);
    EXPECT_EQ(judged + judged_lines(lines, kept), judged_lines(lines, lines.size()))
        << "after " << kept << " lines";
  }
}

TEST(Resume, ARepliedCandidateIsNotAskedAgain) {
  TestRun whole(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(whole.search_with({&model}, judge));
  const auto lines = journal_of(whole);
  for (std::size_t kept = 0; kept <= lines.size(); ++kept) {
    cut_journal(whole, lines, kept, "");
    const auto state = whole.stored().state;
    ScriptedClient again(by_number(fates()));
    ASSERT_TRUE(whole.search_with({&again}, judge));
    for (const int number : again.asked()) {
      const auto* candidate = state.find(number);
      EXPECT_TRUE(candidate == nullptr || candidate->phase == core::CandidateState::Phase::asking)
          << "candidate " << number << " after " << kept << " lines";
    }
  }
}

TEST(Resume, AnOpenCallIsPossiblyPaidAndAskedAgain) {
  TestRun run(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const auto lines = journal_of(run);
  const auto intent = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("\"ask_intended\"") != std::string::npos;
  });
  cut_journal(run, lines, static_cast<std::size_t>(intent - lines.begin()) + 1, "");
  fs::remove(run.paths.reply(1));
  ScriptedClient again(by_number(fates()));
  ASSERT_TRUE(run.search_with({&again}, judge));
  EXPECT_EQ(again.asked().front(), 1);
  const auto state = run.stored().state;
  EXPECT_EQ(state.ledger.possibly_paid, 1);
  EXPECT_TRUE(state.candidates[0].possibly_paid);
}

TEST(Resume, AReplyOnDiskWithoutItsReceiptIsTakenAsItIs) {
  TestRun run(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const auto lines = journal_of(run);
  const auto receipt = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("\"reply_received\"") != std::string::npos;
  });
  cut_journal(run, lines, static_cast<std::size_t>(receipt - lines.begin()), "");
  ScriptedClient again(by_number(fates()));
  ASSERT_TRUE(run.search_with({&again}, judge));
  EXPECT_EQ(again.asked().front(), 2);
  EXPECT_FALSE(run.stored().state.ledger.usage_complete);
}

TEST(Resume, AFinishedRunGoesOnWithMoreBudget) {
  TestRun run(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  run.search.budget.candidates = 9;
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished);
  EXPECT_EQ(run.stored().state.candidates.size(), 9u);
}

TEST(Resume, ARunThatMetItsTargetGoesOnOnlyForAnotherOne) {
  TestRun run;
  ScriptedClient model(by_number({{Verdict::correct, 100}, {Verdict::correct, 70}}));
  FakeEvaluator judge;
  ASSERT_EQ(run.search_with({&model}, judge)->best, 1);
  const auto lines = journal_of(run);
  ASSERT_EQ(run.search_with({&model}, judge)->best, 1);
  EXPECT_EQ(journal_of(run), lines);
  run.search.target = core::parse_target("2x").value();
  const auto finished = run.search_with({&model}, judge);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->best, 2);
}

TEST(Resume, ARunOnAnotherDeviceMeasuresAgainWhatRanks) {
  TestRun run(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  run.device = fake_gpu("Another GPU");
  FakeEvaluator other;
  ASSERT_TRUE(run.search_with({&model}, other));
  EXPECT_EQ(other.evaluations, 4) << "the four that were correct at the screen";
  EXPECT_EQ(other.baselines, 1);
  EXPECT_EQ(run.stored().state.device.name, "Another GPU");
}

TEST(Resume, CtrlCIsJournaledAndTheRunGoesOn) {
  TestRun reference(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(reference.search_with({&model}, judge));

  TestRun run(small_search());
  for (int limit = 1;; ++limit) {
    ASSERT_LT(limit, 200);
    int polls = 0;
    const auto finished = run.search_with({&model}, judge, true, [&] { return ++polls > limit; });
    if (finished) break;
    ASSERT_EQ(finished.error().kind, ErrorKind::interrupted);
    EXPECT_NE(journal_of(run).back().find("\"interrupted\""), std::string::npos);
  }
  EXPECT_EQ(fingerprint(run), fingerprint(reference));
}

TEST(Resume, ARunDirectoryMayBeMoved) {
  TestRun run(small_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ScriptedClient broken([](const llm::Request& request) -> Result<llm::Reply> {
    if (request.candidate == 4) return fail(ErrorKind::provider, "gone");
    return by_number(fates())(request);
  });
  ASSERT_FALSE(run.search_with({&broken}, judge));
  const fs::path moved = run.folder.path() / "elsewhere";
  fs::rename(run.paths.root, moved);
  run.paths.root = moved;
  ASSERT_TRUE(run.search_with({&model}, judge));
  TestRun whole(small_search());
  ASSERT_TRUE(whole.search_with({&model}, judge));
  EXPECT_EQ(fingerprint(run), fingerprint(whole));
}

}  // namespace
}  // namespace kgen::test
