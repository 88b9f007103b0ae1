#include "agent/transcript_writer.hpp"

#include <gtest/gtest.h>

#include "llm/replay_client.hpp"
#include "unit/agent/fakes.hpp"

namespace kgen::test {
namespace {

using core::Verdict;

TEST(TranscriptWriter, AReplayOfATranscriptGivesTheSameRun) {
  core::SearchOptions search;
  search.budget.candidates = 5;
  search.target = core::parse_target("1000x").value();
  TestRun run(search);
  ScriptedClient model(
      by_number({{Verdict::compile_error}, {Verdict::correct, 120}, {Verdict::correct, 90}}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const auto folder = run.folder.path() / "transcript";
  const auto written = agent::write_transcript_of(run.paths, folder, "", "a note");
  ASSERT_TRUE(written) << written.error().text();

  const auto replay = llm::make_replay_client(folder);
  ASSERT_TRUE(replay) << replay.error().text();
  EXPECT_EQ((*replay)->model(), "scripted-1");
  search.budget.candidates = 9;
  TestRun again(search);
  const auto finished = again.search_with({replay->get()}, judge, false);
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->best, run.stored().state.finished->best);
  EXPECT_EQ(finished->reason, "the transcript has no further reply");
  for (int number = 1; number <= 5; ++number) {
    EXPECT_EQ(util::read_file(again.paths.reply(number)).value(),
              util::read_file(run.paths.reply(number)).value());
  }
  EXPECT_EQ(again.stored().state.candidates[0].prompt_matches, true);
}

TEST(TranscriptWriter, RefusesARunWithoutReplies) {
  TestRun run;
  const auto written = agent::write_transcript_of(run.paths, run.folder.path() / "t", "", "");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::bad_input);
}

}  // namespace
}  // namespace kgen::test
