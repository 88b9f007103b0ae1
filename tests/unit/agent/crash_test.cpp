#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <random>

#include "unit/agent/fakes.hpp"

namespace kgen::test {
namespace {

using core::Verdict;

constexpr int kKills = 100;

core::SearchOptions crash_search() {
  core::SearchOptions search;
  search.budget.candidates = 8;
  search.target = core::parse_target("1000x").value();
  return search;
}

std::vector<Fate> fates() {
  return {{Verdict::compile_error}, {Verdict::correct, 140},
          {Verdict::wrong_result},  {Verdict::correct, 60, Verdict::race},
          {Verdict::correct, 110},  {Verdict::fault},
          {Verdict::correct, 100},  {Verdict::correct, 95}};
}

/// Every event that was on disk, as (candidate, tier) of its evaluations; must never hold one twice.
std::map<std::pair<int, bool>, int> judged(const agent::StoredRun& run) {
  std::map<std::pair<int, bool>, int> times;
  for (const core::Event& event : run.events) {
    if (const auto* e = std::get_if<core::Evaluated>(&event.body))
      ++times[{e->candidate, e->summary.tier == core::Tier::promotion}];
  }
  return times;
}

std::map<int, int> replies(const agent::StoredRun& run) {
  std::map<int, int> times;
  for (const core::Event& event : run.events) {
    if (const auto* e = std::get_if<core::ReplyReceived>(&event.body)) ++times[e->candidate];
  }
  return times;
}

/// One session in a process of its own; killed after `delay_us`. Whether it came to its end before.
bool session_killed_after(TestRun& run, long delay_us) {
  const pid_t child = fork();
  if (child == 0) {
    ScriptedClient model(by_number(fates()));
    FakeEvaluator judge;
    const bool done = run.search_with({&model}, judge).has_value();
    _exit(done ? 0 : 1);
  }
  timespec delay{0, delay_us * 1000};
  nanosleep(&delay, nullptr);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0) << "a session failed by itself";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

long measured_session_us() {
  TestRun run(crash_search());
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  const util::Stopwatch watch;
  EXPECT_TRUE(run.search_with({&model}, judge));
  return std::max(1000L, static_cast<long>(watch.elapsed_ms() * 1000));
}

TEST(Crash, KilledAtAHundredRandomMomentsARunEndsTheSame) {
  TestRun whole(crash_search());
  {
    ScriptedClient model(by_number(fates()));
    FakeEvaluator judge;
    ASSERT_TRUE(whole.search_with({&model}, judge));
  }
  const std::string expected = fingerprint(whole);
  const long session_us = std::min(measured_session_us(), 900'000L);

  std::mt19937 random(20260102);  // the moments differ from run to run by the clock alone
  int kills = 0, runs = 0, possibly_paid = 0;
  while (kills < kKills) {
    TestRun run(crash_search());
    ++runs;
    ASSERT_LT(runs, 20 * kKills) << "sessions end before they are killed";
    for (int session = 0; session < 200; ++session) {
      const long delay = std::uniform_int_distribution<long>(0, session_us)(random);
      if (session_killed_after(run, delay)) break;
      ++kills;
    }
    ScriptedClient model(by_number(fates()));
    FakeEvaluator judge;
    ASSERT_TRUE(run.search_with({&model}, judge));
    EXPECT_EQ(fingerprint(run), expected);
    const agent::StoredRun stored = run.stored();
    for (const auto& [what, times] : judged(stored)) EXPECT_EQ(times, 1) << "candidate " << what.first;
    for (const auto& [candidate, times] : replies(stored)) EXPECT_EQ(times, 1) << "candidate " << candidate;
    possibly_paid += stored.state.ledger.possibly_paid;
  }
  RecordProperty("kills", kills);
  RecordProperty("possibly_paid", possibly_paid);
}

TEST(Crash, ACallThatWasOpenAtTheKillShowsAsPossiblyPaid) {
  TestRun run(crash_search());
  const pid_t child = fork();
  if (child == 0) {
    ScriptedClient model([](const llm::Request& request) -> Result<llm::Reply> {
      if (request.candidate == 3) raise(SIGKILL);
      return by_number(fates())(request);
    });
    FakeEvaluator judge;
    static_cast<void>(run.search_with({&model}, judge));
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ScriptedClient model(by_number(fates()));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const agent::StoredRun stored = run.stored();
  EXPECT_EQ(stored.state.ledger.possibly_paid, 1);
  EXPECT_TRUE(stored.state.find(3)->possibly_paid);
  EXPECT_EQ(model.asked().front(), 3) << "what was answered before is not asked again";
}

}  // namespace
}  // namespace kgen::test
