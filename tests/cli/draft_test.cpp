// kgen ops draft from end to end: a scripted model, and a fake worker that says what the check found.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/kgen_program.hpp"
#include "core/proof.hpp"

namespace kgen::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class Draft : public KgenProgram {
 protected:
  Draft() { write("asks", "```questions\n1. Which axis?\n2. What of ties?\n```\n"); }

  /// What a model replies that drafts add_relu; `broken` names a dim that there is not.
  static std::string draft_reply(bool broken = false) {
    const fs::path folder = fs::path(KGEN_SOURCE_DIR) / "reference_ops/add_relu";
    std::string op = *util::read_file(folder / "op.toml");
    if (broken) op.replace(op.find("[\"n\"]"), 5, "[\"m\"]");
    return "It is add_relu.\n\n```toml\n" + op + "```\n\n```cuda\n" +
           *util::read_file(folder / "reference.cu") + "```\n";
  }

  static std::string proof_script(core::Finding::State state, const std::string& detail) {
    return "prove result " + core::to_json(core::ProofReply{{{"oracle", state, "", detail}}}).dump() + "\n";
  }
  static std::string passes() { return proof_script(core::Finding::State::passed, "31 cases"); }
  static std::string fails() { return proof_script(core::Finding::State::failed, "y[2] is never written"); }

  /// A new draft by a model that replies replies/N to its Nth prompt, or that `command` is.
  std::vector<std::string> draft(const std::string& script, const std::vector<std::string>& more = {},
                                 const std::string& command = "cat >/dev/null; cat replies/$KGEN_CANDIDATE") {
    return std::vector<std::string>{"ops",       "draft", "add two vectors, then ReLU", "--provider", "exec",
                                    "--command", command} +
           with_worker(hello_script({{"kind", "emulator"}}) + script) + more;
  }
  std::vector<std::string> resume(const std::vector<std::string>& more = {}) {
    return std::vector<std::string>{"ops", "draft", "--resume", only_draft().string()} + more;
  }
  fs::path only_draft() const {
    std::vector<fs::path> drafts;
    for (const auto& entry : fs::directory_iterator(path("drafts"))) drafts.push_back(entry.path());
    EXPECT_EQ(drafts.size(), 1U);
    return drafts.empty() ? path("drafts") : drafts.front();
  }
  std::string prompt_of(const std::string& candidate) {
    return read(only_draft() / "candidates" / candidate / "prompt.md");
  }
  /// Answers the prompt of a candidate by hand.
  void answer_by_hand(const std::string& candidate, const std::string& text) {
    const fs::path reply = only_draft() / "candidates" / candidate / "reply.md";
    write(fs::relative(reply, path("")).string(), text);
  }

  /// Starts a draft whose model says that it was asked and then never answers; returns when it was asked.
  util::Process start_hanging_draft() {
    EXPECT_EQ(mkfifo(path("asked").c_str(), 0600), 0);
    util::Process kgen =
        start_kgen(std::vector<std::string>{"ops", "draft", "add", "--provider", "exec", "--command",
                                            "echo asked > asked; exec sleep 1000"} +
                   with_worker(hello_script({{"kind", "emulator"}}) + passes()));
    const int fd = open(path("asked").c_str(), O_RDONLY | O_CLOEXEC);  // waits for the model
    char byte = 0;
    EXPECT_EQ(::read(fd, &byte, 1), 1);
    close(fd);
    return kgen;
  }
};

TEST_F(Draft, AGoodDraftIsShownAndWaitsForSomeoneToAcceptIt) {
  write("replies/1", draft_reply());
  const auto drafted = kgen(draft(passes()));
  EXPECT_EQ(drafted.status.code, 0) << drafted.err;
  EXPECT_TRUE(contains(drafted.out, "title = \"Fused add and ReLU\"")) << drafted.out;
  EXPECT_TRUE(contains(drafted.out, "add_relu_reference")) << drafted.out;
  EXPECT_TRUE(contains(drafted.out, "passed its checks")) << drafted.out;
  EXPECT_TRUE(contains(drafted.out, "--accept")) << drafted.out;
  EXPECT_FALSE(fs::exists(path("add_relu"))) << "nobody accepted it";
  // Neither a model nor a worker is needed any more.
  const auto accepted = kgen(resume({"--accept", "--command", "exit 9", "--worker", "false"}));
  EXPECT_EQ(accepted.status.code, 0) << accepted.err;
  EXPECT_EQ(read(path("add_relu/op.toml")), read(only_draft() / "candidates/0001/op/op.toml"));
  EXPECT_EQ(kgen({"ops", "show", "./add_relu"}).status.code, 0);
  const auto again = kgen(resume({"--accept"}));
  EXPECT_EQ(again.status.code, 0) << again.err;
  EXPECT_TRUE(contains(again.out, "accepted")) << again.out;
}

TEST_F(Draft, AcceptTakesADraftThatPassesAtOnce) {
  write("replies/1", draft_reply());
  int code = -1;
  const json answer = kgen_json(draft(passes(), {"--accept", "--dir", "ops"}), &code);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(answer.at("standing"), "accepted");
  EXPECT_EQ(answer.at("folder"), "ops/add_relu");
  EXPECT_TRUE(fs::exists(path("ops/add_relu/reference.cu")));
}

TEST_F(Draft, ABadDraftIsRepairedWithWhatTheCheckFound) {
  write("replies/1", draft_reply(true));
  write("replies/2", draft_reply());
  write("replies/3", draft_reply());
  const json answer = kgen_json(draft(fails() + passes()));
  EXPECT_EQ(answer.at("standing"), "proven") << answer.dump(2);
  EXPECT_EQ(answer.at("candidates"), 3);
  const std::string second = prompt_of("0002"), third = prompt_of("0003");
  EXPECT_TRUE(contains(second, "unknown name 'm'")) << "the file that cannot be read is a finding";
  EXPECT_FALSE(contains(second, "candidates/0001")) << "no folder of this machine";
  EXPECT_TRUE(contains(third, "y[2] is never written"));
}

TEST_F(Draft, QuestionsComeBackAndAnswersGoOn) {
  write("replies/1", read(path("asks")));
  write("replies/2", draft_reply());
  const auto asked = kgen(draft(passes(), {"--accept"}));
  EXPECT_EQ(asked.status.code, 75) << asked.err;
  EXPECT_TRUE(contains(asked.out, "1. Which axis?\n  2. What of ties?")) << asked.out;
  EXPECT_FALSE(fs::exists(path("add_relu")));
  const json still = kgen_json(resume());
  EXPECT_EQ(still.at("questions").size(), 2U) << "nothing is asked before somebody answers";
  EXPECT_EQ(still.at("candidates"), 1);
  const auto half = kgen(resume({"--answer", "the last"}));
  EXPECT_EQ(half.status.code, 2);
  EXPECT_TRUE(contains(half.err, "2 questions asked, 1 answer given")) << half.err;
  EXPECT_TRUE(contains(half.err, "2. What of ties?")) << half.err;
  const json answer = kgen_json(resume({"--answer", "the last", "--answer", "[the first]"}));
  EXPECT_EQ(answer.at("standing"), "proven") << answer.dump(2);
  EXPECT_TRUE(contains(prompt_of("0002"), "Which axis?\n  **the last**")) << prompt_of("0002");
  EXPECT_TRUE(contains(prompt_of("0002"), "What of ties?\n  **[the first]**"));
}

TEST_F(Draft, AnAnswerToADraftThatPassedIsAChange) {
  write("replies/1", draft_reply());
  write("replies/2", draft_reply());
  ASSERT_EQ(kgen(draft(passes())).status.code, 0);
  const json answer = kgen_json(resume({"--answer", "in f32 alone"}));
  EXPECT_EQ(answer.at("candidates"), 2);
  EXPECT_TRUE(contains(prompt_of("0002"), "in f32 alone"));
}

TEST_F(Draft, AModelThatNeverGetsThereEndsWith3AndGoesOnWithMoreTurns) {
  for (const char* reply : {"replies/1", "replies/2"}) write(reply, "I cannot.\n");
  write("replies/3", draft_reply());
  int code = -1;
  const json answer = kgen_json(draft(passes(), {"--repairs", "1", "--accept"}), &code);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(answer.at("standing"), "unreadable");
  EXPECT_EQ(answer.at("candidates"), 2);
  EXPECT_FALSE(fs::exists(path("add_relu")));
  EXPECT_EQ(kgen(resume({"--repairs", "2"})).status.code, 0);
}

TEST_F(Draft, WhatWasEditedOrIsThereAlreadyIsNotAccepted) {
  write("replies/1", draft_reply());
  ASSERT_EQ(kgen(draft(passes())).status.code, 0);
  write("add_relu/op.toml", "mine\n");
  const auto taken = kgen(resume({"--accept"}));
  EXPECT_EQ(taken.status.code, 2);
  EXPECT_TRUE(contains(taken.err, "is there already")) << taken.err;
  EXPECT_EQ(read(path("add_relu/op.toml")), "mine\n");
  const fs::path reference = only_draft() / "candidates/0001/op/reference.cu";
  write(fs::relative(reference, path("")).string(), read(reference) + "// edited\n");
  const auto edited = kgen(resume({"--accept", "--dir", "elsewhere"}));
  EXPECT_EQ(edited.status.code, 2);
  EXPECT_TRUE(contains(edited.err, "was edited since")) << edited.err;
  EXPECT_FALSE(fs::exists(path("elsewhere")));
}

TEST_F(Draft, WithoutAKeyNothingIsBegun) {
  const auto output =
      kgen(std::vector<std::string>{"ops", "draft", "add"} + with_worker(hello_script() + passes()));
  EXPECT_EQ(output.status.code, 4) << output.err;
  EXPECT_FALSE(fs::exists(path("drafts")));
}

TEST_F(Draft, WithoutADeviceNothingIsAsked) {
  write("replies/1", draft_reply());
  const auto words =
      std::vector<std::string>{"ops", "draft", "add", "--provider", "exec", "--command", "touch x"} +
      with_worker(hello_script({{"kind", "none"}}));
  const auto output = kgen(words);
  EXPECT_EQ(output.status.code, 5) << output.err;
  EXPECT_FALSE(fs::exists(path("x")));
}

TEST_F(Draft, AProviderThatFailsEndsWith4AndTheDraftGoesOn) {
  const auto failed = kgen(draft(passes(), {}, "echo overloaded >&2; exit 9"));
  EXPECT_EQ(failed.status.code, 4);
  EXPECT_TRUE(contains(failed.err, "overloaded")) << failed.err;
  write("reply.md", draft_reply());
  EXPECT_EQ(kgen(resume({"--command", "cat >/dev/null; cat reply.md"})).status.code, 0);
}

TEST_F(Draft, ManualStopsWithItsPromptAndGoesOnWithTheReply) {
  const auto words = std::vector<std::string>{"ops", "draft", "add two vectors", "--provider", "manual"} +
                     with_worker(hello_script({{"kind", "emulator"}}) + passes());
  const auto waiting = kgen(words);
  EXPECT_EQ(waiting.status.code, 75) << waiting.err;
  EXPECT_TRUE(contains(waiting.err, "--resume")) << waiting.err;
  EXPECT_TRUE(contains(prompt_of("0001"), "add two vectors"));
  EXPECT_EQ(kgen(resume()).status.code, 75);
  EXPECT_EQ(kgen(resume({"--answer", "the last"})).status.code, 2) << "nothing is asked yet";
  answer_by_hand("0001", read(path("asks")));
  EXPECT_EQ(kgen(resume()).status.code, 75) << "questions";
  EXPECT_EQ(kgen(resume({"--answer", "the last", "--answer", "the first"})).status.code, 75)
      << "a further prompt";
  answer_by_hand("0002", draft_reply());
  const auto drafted = kgen(resume());
  EXPECT_EQ(drafted.status.code, 0) << drafted.err;
}

TEST_F(Draft, AReplayServesRecordedReplies) {
  write(
      "t/transcript.json",
      R"({"schema":1,"op":"add_relu","dims":{},"dtype":"f32","model":"m","device":"d","date":"2026-01-02","note":"","replies":[{"prompt_hash":""}]})");
  write("t/0001/reply.md", draft_reply());
  const auto words =
      std::vector<std::string>{"ops", "draft", "add", "--provider", "replay", "--transcript", "t"} +
      with_worker(hello_script({{"kind", "emulator"}}) + passes());
  EXPECT_EQ(kgen(words).status.code, 0);
}

TEST_F(Draft, CtrlCEndsWith130AndTheDraftGoesOn) {
  util::Process kgen_process = start_hanging_draft();
  ::kill(kgen_process.pid(), SIGINT);
  const auto status = kgen_process.wait_for(std::chrono::seconds(30));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 130) << read(path("err"));
  EXPECT_TRUE(contains(read(path("err")), "kgen ops draft --resume")) << read(path("err"));
  write("reply.md", draft_reply());
  const json answer = kgen_json(resume({"--command", "cat >/dev/null; cat reply.md"}));
  EXPECT_EQ(answer.at("standing"), "proven") << answer.dump(2);
  EXPECT_EQ(answer.at("ledger").at("possibly_paid"), 1);
}

TEST_F(Draft, AfterKillMinus9TheOpenCallIsAskedAgain) {
  util::Process kgen_process = start_hanging_draft();
  kgen_process.kill_group(SIGKILL);
  write("reply.md", draft_reply());
  const json answer = kgen_json(resume({"--command", "cat >/dev/null; cat reply.md"}));
  EXPECT_EQ(answer.at("standing"), "proven") << answer.dump(2);
  EXPECT_EQ(answer.at("ledger").at("possibly_paid"), 1);
}

TEST_F(Draft, WrongWordsAreSaidToBe) {
  const std::vector<std::vector<std::string>> wrong = {
      {}, {"  "}, {"--resume", "nowhere"}, {"add", "--resume", "nowhere"}, {std::string(30'000, 'x')}};
  for (const std::vector<std::string>& words : wrong) {
    const auto output = kgen(std::vector<std::string>{"ops", "draft"} + words);
    EXPECT_EQ(output.status.code, 2) << output.err;
  }
}

TEST_F(Draft, EscapeSequencesOfAModelDoNotReachTheTerminal) {
  write("replies/1", "```questions\nWhich \x1b[2Jaxis?\n```\n");
  const auto asked = kgen(draft(passes()));
  EXPECT_EQ(asked.status.code, 75);
  EXPECT_FALSE(contains(asked.out, "\x1b")) << asked.out;
}

}  // namespace
}  // namespace kgen::test
