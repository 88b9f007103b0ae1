// What a draft's journal says, and what is to be done next.
#include "agent/draft_state.hpp"

#include <gtest/gtest.h>

namespace kgen::agent {
namespace {

DraftState after(const std::vector<DraftEventBody>& bodies) {
  DraftState state;
  for (const DraftEventBody& body : bodies) apply(state, {"2026-01-02T03:04:05Z", 1, body});
  return state;
}

DraftEventBody asked_for(int candidate) {
  return core::EventBody(core::AskIntended{candidate});
}
DraftEventBody got(int candidate, const std::string& stop = "end_turn") {
  return core::EventBody(core::ReplyReceived{candidate, 1, stop});
}
DraftEventBody became(int candidate, DraftOutcome outcome) {
  return Drafted{candidate, outcome};
}

/// Events of a candidate that came to its end.
std::vector<DraftEventBody> whole(int candidate, DraftOutcome outcome) {
  return {asked_for(candidate), got(candidate), became(candidate, outcome)};
}

std::vector<DraftEventBody> operator+(std::vector<DraftEventBody> events,
                                      const std::vector<DraftEventBody>& more) {
  events.insert(events.end(), more.begin(), more.end());
  return events;
}

TEST(DraftState, ANewDraftAsksAndAReplyIsJudged) {
  EXPECT_EQ(next_draft_step({}, 3), DraftStep::ask);
  EXPECT_EQ(next_draft_step(after({asked_for(1)}), 3), DraftStep::ask_again) << "the call was lost";
  EXPECT_EQ(next_draft_step(after({asked_for(1), got(1)}), 3), DraftStep::judge);
  EXPECT_EQ(next_draft_step(after({asked_for(1), got(1, "max_tokens")}), 3), DraftStep::judge)
      << "what was cut off is said to be so";
  EXPECT_EQ(next_draft_step(after({asked_for(1), core::EventBody(core::ReplyAwaited{1})}), 3),
            DraftStep::ask_again);
}

TEST(DraftState, FailuresAreRepairedSoManyTimes) {
  const auto one = whole(1, DraftOutcome::unreadable), two = one + whole(2, DraftOutcome::not_proven);
  EXPECT_EQ(next_draft_step(after(one), 0), DraftStep::stop);
  EXPECT_EQ(next_draft_step(after(one), 1), DraftStep::ask);
  EXPECT_EQ(next_draft_step(after(two), 1), DraftStep::stop);
  EXPECT_EQ(next_draft_step(after(two), 2), DraftStep::ask) << "a resumption with more turns";
}

TEST(DraftState, ItIsAPersonsTurnUntilTheySpeak) {
  for (const DraftOutcome outcome : {DraftOutcome::questions, DraftOutcome::proven, DraftOutcome::refused}) {
    EXPECT_EQ(next_draft_step(after(whole(1, outcome)), 3), DraftStep::stop);
    EXPECT_EQ(next_draft_step(after(whole(1, outcome) + std::vector<DraftEventBody>{Answered{1, {"a"}}}), 3),
              DraftStep::ask);
  }
}

TEST(DraftState, WhatAPersonSaysBeginsTheCountOfRepairsAnew) {
  const auto events = whole(1, DraftOutcome::not_proven) + whole(2, DraftOutcome::not_proven) +
                      std::vector<DraftEventBody>{Answered{2, {"f32 alone"}}} +
                      whole(3, DraftOutcome::not_proven);
  EXPECT_EQ(next_draft_step(after(events), 1), DraftStep::ask);
}

TEST(DraftState, AnAcceptanceHoldsForTheDraftThatWasSeen) {
  const auto accepted = whole(1, DraftOutcome::proven) + std::vector<DraftEventBody>{DraftAccepted{1, "./a"}};
  EXPECT_TRUE(after(accepted).accepted);
  EXPECT_FALSE(after(accepted + std::vector<DraftEventBody>{asked_for(2)}).accepted);
  EXPECT_FALSE(
      after(whole(1, DraftOutcome::not_proven) + std::vector<DraftEventBody>{DraftAccepted{1, "./a"}})
          .accepted);
}

TEST(DraftState, EventsThatMakeNoSenseChangeNothing) {
  const DraftState state = after({became(3, DraftOutcome::proven), DraftAccepted{7, "x"}, got(2)});
  EXPECT_EQ(state.newest(), 0);
  EXPECT_TRUE(state.drafted.empty());
  EXPECT_EQ(next_draft_step(state, 3), DraftStep::ask);
}

TEST(DraftState, WhatIsSaidOutOfTurnChangesNothing) {
  const std::vector<DraftEventBody> early = {asked_for(1), Answered{1, {"f32"}}, got(1)};
  EXPECT_EQ(next_draft_step(after(early + std::vector<DraftEventBody>{became(1, DraftOutcome::proven)}), 3),
            DraftStep::stop);
  EXPECT_EQ(after({Answered{0, {"f32"}}}).answered.size(), 1U) << "beside the description";
}

TEST(DraftEvents, SurviveTheJournal) {
  const std::vector<DraftEventBody> bodies = {
      asked_for(1), Drafted{2, DraftOutcome::questions, "why", {"a?", "b?"}, "op", "0123"},
      Answered{0, {"x", ""}}, DraftAccepted{4, "./ops/mine"}};
  for (const DraftEventBody& body : bodies) {
    const std::string line = journal_line({"2026-01-02T03:04:05Z", 2.5, body});
    const auto again = draft_event_from_line(line);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(journal_line(*again), line);
  }
}

TEST(DraftEvents, LinesThatAreNoneAreErrors) {
  for (
      const char* line :
      {"", "[]", "{}", R"({"event":"drafted","at":"","active_s":0})",
       R"({"event":"drafted","at":"","active_s":0,"candidate":-1,"outcome":"proven","problem":"","questions":[],"op":"","op_hash":""})",
       R"({"event":"drafted","at":"","active_s":0,"candidate":1,"outcome":"lucky","problem":"","questions":[],"op":"","op_hash":""})",
       R"({"event":"answered","at":"","active_s":0,"candidate":1,"answers":"yes"})",
       R"({"event":"nothing","at":"","active_s":0})"})
    EXPECT_FALSE(draft_event_from_line(line)) << line;
}

}  // namespace
}  // namespace kgen::agent
