// The loop of a draft against a scripted model and a check that the test decides.
#include "agent/draft_loop.hpp"

#include <gtest/gtest.h>

#include "unit/agent/fakes.hpp"

namespace kgen::agent {
namespace {

using core::Finding;

class DraftLoop : public testing::Test {
 protected:
  DraftLoop() : folder_(*util::TemporaryFolder::create("kgen-draft-test")) {
    DraftRecord record;
    record.description = "twice each element";
    paths_ = create_draft(folder_.path(), record).value();
  }

  static llm::Reply reply_of(const std::string& text) {
    llm::Reply reply;
    reply.text = text;
    return reply;
  }
  /// A draft whose op.toml says `name`.
  static std::string draft_reply(const std::string& name) {
    return "```toml\nname = \"" + name + "\"\n```\n```cuda\n/*kgen {} */\n```\n";
  }

  /// Runs one session: replies by candidate; a check passes where op.toml names "good".
  Status run(const std::map<int, Result<llm::Reply>>& replies, int repairs = 3) {
    test::ScriptedClient client([&](const llm::Request& request) -> Result<llm::Reply> {
      asked_.push_back(request.candidate);
      prompts_[request.candidate] = request.prompt.user;
      const auto found = replies.find(request.candidate);
      if (found == replies.end()) return fail(ErrorKind::provider, "nothing is left to say");
      return found->second;
    });
    const auto prompts = prompt::PromptLibrary::load().value();
    DraftJournal journal = DraftJournal::open(paths_).value();
    DraftInputs inputs{journal, paths_, client, true, {}, repairs, prompts, {}, {}, {}, {}};
    inputs.prove = [&](const std::filesystem::path& folder) -> Result<DraftProof> {
      const bool good = util::read_file(folder / "op.toml")->find("good") != std::string::npos;
      if (dies_in_check_) return fail(ErrorKind::missing, "the worker died");
      return DraftProof{good,
                        "good",
                        "h",
                        {{"oracle", good ? Finding::State::passed : Finding::State::failed, "", "it hangs"}}};
    };
    inputs.cancelled = [&] { return cancelled_; };
    const Status done = run_draft(inputs);
    state_ = journal.state();
    return done;
  }

  bool prompt_holds(int candidate, const std::string& part) {
    return prompts_[candidate].find(part) != std::string::npos;
  }

  util::TemporaryFolder folder_;
  DraftPaths paths_;
  DraftState state_;
  std::vector<int> asked_;
  std::map<int, std::string> prompts_;
  bool dies_in_check_ = false, cancelled_ = false;
};

TEST_F(DraftLoop, AGoodDraftEndsIt) {
  ASSERT_TRUE(run({{1, reply_of(draft_reply("good"))}}));
  ASSERT_NE(state_.last(), nullptr);
  EXPECT_EQ(state_.last()->outcome, DraftOutcome::proven);
  EXPECT_EQ(state_.last()->op, "good");
  EXPECT_EQ(read_draft_files(paths_, 1)->op_toml, "name = \"good\"\n");
}

TEST_F(DraftLoop, FindingsAndUnreadableRepliesGoIntoTheNextPrompt) {
  ASSERT_TRUE(run(
      {{1, reply_of(draft_reply("bad"))}, {2, reply_of("I cannot.")}, {3, reply_of(draft_reply("good"))}}));
  EXPECT_EQ(asked_, (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(prompt_holds(2, "it hangs"));
  EXPECT_TRUE(prompt_holds(3, "holds no block of toml, cuda or questions"));
  EXPECT_TRUE(prompt_holds(3, "name = \"bad\"")) << "the draft before it is still what is mended";
  EXPECT_EQ(state_.last()->outcome, DraftOutcome::proven);
}

TEST_F(DraftLoop, AModelThatNeverGetsThereIsStopped) {
  const auto no = reply_of("I cannot.");
  ASSERT_TRUE(run({{1, no}, {2, no}, {3, no}, {4, no}}, 2));
  EXPECT_EQ(asked_.size(), 3U);
  EXPECT_EQ(state_.last()->outcome, DraftOutcome::unreadable);
}

TEST_F(DraftLoop, QuestionsWaitAndAnswersGoIntoThePrompt) {
  ASSERT_TRUE(run({{1, reply_of("```questions\nWhich axis?\nTies?\n```\n")}}));
  EXPECT_EQ(state_.last()->questions, (std::vector<std::string>{"Which axis?", "Ties?"}));
  ASSERT_TRUE(DraftJournal::open(paths_)->add(Answered{1, {"the last"}}));
  ASSERT_TRUE(run({{2, reply_of(draft_reply("good"))}}));
  EXPECT_TRUE(prompt_holds(2, "Which axis?\n  **the last**"));
  EXPECT_TRUE(prompt_holds(2, "Ties?\n  **No preference"));
}

TEST_F(DraftLoop, ARefusalIsNotArguedWith) {
  llm::Reply refusal = reply_of("");
  refusal.stop = llm::StopReason::refusal;
  refusal.stop_detail = "policy";
  ASSERT_TRUE(run({{1, refusal}}));
  EXPECT_EQ(state_.last()->outcome, DraftOutcome::refused);
  EXPECT_EQ(asked_.size(), 1U);
}

TEST_F(DraftLoop, AProviderThatFailsLeavesADraftThatGoesOn) {
  const Status failed = run({});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::provider);
  ASSERT_TRUE(run({{1, reply_of(draft_reply("good"))}}));
  EXPECT_EQ(asked_, (std::vector<int>{1, 1}));
}

TEST_F(DraftLoop, AReplyThatWasPaidForIsNotAskedForAgainWhereTheCheckDied) {
  dies_in_check_ = true;
  ASSERT_FALSE(run({{1, reply_of(draft_reply("good"))}}));
  dies_in_check_ = false;
  ASSERT_TRUE(run({}));
  EXPECT_EQ(asked_.size(), 1U);
  EXPECT_EQ(state_.last()->outcome, DraftOutcome::proven);
}

TEST_F(DraftLoop, AnInterruptedCallIsPossiblyPaidAndAskedAgain) {
  const Status interrupted = run({{1, fail(ErrorKind::interrupted, "interrupted")}});
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().kind, ErrorKind::interrupted);
  EXPECT_NE(interrupted.error().hint.find("--resume"), std::string::npos);
  ASSERT_TRUE(run({{1, reply_of(draft_reply("good"))}}));
  EXPECT_EQ(state_.calls.ledger.possibly_paid, 1);
}

TEST_F(DraftLoop, AReplyThatReachedTheDiskBeforeAKillIsTaken) {
  ASSERT_FALSE(run({{1, fail(ErrorKind::interrupted, "interrupted")}}));
  ASSERT_TRUE(util::write_file_atomic(paths_.calls().reply(1), draft_reply("good")));
  ASSERT_TRUE(run({}));
  EXPECT_EQ(asked_.size(), 1U);
  EXPECT_EQ(state_.last()->outcome, DraftOutcome::proven);
  EXPECT_FALSE(state_.calls.ledger.usage_complete);
}

TEST_F(DraftLoop, NothingIsAskedOnceItWasCancelled) {
  cancelled_ = true;
  const Status done = run({{1, reply_of(draft_reply("good"))}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::interrupted);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(DraftLoop, AJournalThatWasEditedIsNamedWithItsLine) {
  ASSERT_TRUE(run({{1, reply_of(draft_reply("good"))}}));
  auto file = util::AppendFile::open(paths_.calls().journal());
  ASSERT_TRUE(file && file->append_line("{\"event\":\"drafted\"}"));
  const auto opened = DraftJournal::open(paths_);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("events.jsonl, line "), std::string::npos) << opened.error().message;
}

}  // namespace
}  // namespace kgen::agent
