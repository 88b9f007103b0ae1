// generate, resume and show with a fake worker and scripted models.
#include "cli/kgen_program.hpp"
#include "core/evaluation.hpp"

namespace kgen::test {
namespace {

class Generate : public KgenProgram {
 protected:
  std::vector<std::string> generate(const std::string& script, const std::vector<std::string>& more) {
    return std::vector<std::string>{"generate", "--op", "softmax", "--seed", "1"} +
           with_worker(hello_script() + baseline_script() + script) + more;
  }
};

TEST_F(Generate, AnExecModelReachesTheTargetAndLeavesTheKernel) {
  write("reply.md", some_reply(1));
  const auto output =
      kgen(generate(correct_script(), {"--provider", "exec", "--command", "cat >/dev/null; cat reply.md"}));
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "target_met")) << output.out;
  EXPECT_TRUE(contains(output.out, "2.00x [1.98, 2.02] over torch.compile")) << output.out;
  EXPECT_TRUE(contains(read(only_run() / "best.cu"), "__global__ void k"));
  EXPECT_FALSE(contains(output.out + output.err, "replay"));

  const auto show = kgen({"show", only_run().string()});
  EXPECT_EQ(show.status.code, 0);
  EXPECT_TRUE(contains(show.out, "correct")) << show.out;
  const auto candidate = kgen_json({"show", only_run().string(), "--candidate", "1"});
  EXPECT_EQ(candidate.at("evaluation").at("verdict"), "correct");
  EXPECT_EQ(kgen({"show", only_run().string(), "--candidate", "99"}).status.code, 2);
  EXPECT_TRUE(contains(kgen({"show", only_run().string(), "--why"}).out, "candidate 1: plan"));
}

TEST_F(Generate, RepliesWithoutOneKernelAreKeptAndEndInNoCorrectKernel) {
  write("model.sh",
        "cat >/dev/null\n"
        "case $KGEN_CANDIDATE in 1) ;; 2) cat two.md;; *) echo no code here;; esac\n");
  write("two.md", some_reply(1) + "\n" + some_reply(2));
  int code = 0;
  const auto answer = kgen_json(
      generate(correct_script(), {"--provider", "exec", "--command", "sh model.sh", "--candidates", "3"}),
      &code);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(answer.at("outcome"), "no_correct_kernel");
  ASSERT_EQ(answer.at("candidates").size(), 3u);
  for (const auto& candidate : answer.at("candidates"))
    EXPECT_EQ(candidate.at("screen").at("verdict"), "reply_invalid");
}

TEST_F(Generate, AModelThatFailsIsAProviderErrorAndTheRunCanGoOn) {
  const auto failed =
      kgen(generate(correct_script(), {"--provider", "exec", "--command", "echo overloaded >&2; exit 9"}));
  EXPECT_EQ(failed.status.code, 4);
  EXPECT_TRUE(contains(failed.err, "overloaded")) << failed.err;
  write("reply.md", some_reply(1));
  const auto resumed = kgen({"resume", only_run().string(), "--command", "cat >/dev/null; cat reply.md"});
  EXPECT_EQ(resumed.status.code, 0) << resumed.err;
}

TEST_F(Generate, AReplayIsLabelledAndJudgedAnew) {
  write(
      "t/transcript.json",
      R"({"schema":1,"op":"softmax","dims":{"rows":8192,"cols":8192},"dtype":"bf16","model":"m","device":"d","date":"2026-01-02","note":"","replies":[{"prompt_hash":""}]})");
  write("t/0001/reply.md", some_reply(1));
  const auto output = kgen(generate(correct_script(), {"--provider", "replay", "--transcript", "t"}));
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "replay of a recorded transcript")) << output.out;
}

TEST_F(Generate, AReplayOnTheEmulatorIsTheOneForItsShapeWhoeverFoundThatDevice) {
  const std::string found = "attention/transcripts/portable";
  for (const char* device : {"auto", "emulator"}) {
    const auto output = kgen(std::vector<std::string>{"generate", "--op", "attention", "--provider", "replay",
                                                      "--device", device} +
                             with_worker(hello_script({{"kind", "emulator"}}) + correct_script()));
    EXPECT_TRUE(contains(output.err, found)) << device << "\n" << output.err;
  }
}

TEST_F(Generate, ARunsRepliesBecomeATranscriptThatReplays) {
  write("reply.md", some_reply(1));
  ASSERT_EQ(
      kgen(generate(correct_script(), {"--provider", "exec", "--command", "cat >/dev/null; cat reply.md"}))
          .status.code,
      0);
  const auto saved = kgen({"show", only_run().string(), "--save-transcript", "t", "--model", "some-model"});
  EXPECT_EQ(saved.status.code, 0) << saved.err;
  const auto replay =
      kgen(generate(correct_script(), {"--provider", "replay", "--transcript", "t", "--runs", "again"}));
  EXPECT_EQ(replay.status.code, 0) << replay.err;
  EXPECT_TRUE(contains(replay.out, "replay of a recorded transcript")) << replay.out;
}

TEST_F(Generate, ManualStopsWithItsPromptsAndGoesOnWithTheReplies) {
  const auto waiting = kgen(generate(correct_script(), {"--provider", "manual", "--parallel", "2"}));
  EXPECT_EQ(waiting.status.code, 75) << waiting.err;
  const auto run = only_run();
  EXPECT_TRUE(contains(read(run / "candidates/0001/prompt.md"), "softmax"));
  EXPECT_TRUE(contains(read(run / "candidates/0002/prompt.md"), "softmax"));
  EXPECT_TRUE(contains(waiting.err, "reply.md")) << waiting.err;
  EXPECT_EQ(kgen({"resume", run.string()}).status.code, 75);
  write(std::filesystem::relative(run, path("")).string() + "/candidates/0001/reply.md", some_reply(1));
  write(std::filesystem::relative(run, path("")).string() + "/candidates/0002/reply.md", some_reply(2));
  const auto resumed = kgen({"resume", run.string()});
  EXPECT_EQ(resumed.status.code, 0) << resumed.err;
}

TEST_F(Generate, SeveralRunsResumeAndTheWorstCodeCounts) {
  ASSERT_EQ(kgen(generate(correct_script(), {"--provider", "manual"})).status.code, 75);
  int code = 0;
  const auto answer = kgen_json({"resume", only_run().string(), "nowhere"}, &code);
  EXPECT_EQ(code, 2);
  ASSERT_EQ(answer.at("runs").size(), 2u);
  EXPECT_TRUE(answer.at("runs")[1].contains("error"));
}

TEST_F(Generate, ARunMovesToAnotherFolder) {
  ASSERT_EQ(kgen(generate(correct_script(), {"--provider", "manual"})).status.code, 75);
  std::filesystem::rename(only_run(), path("moved"));
  write("moved/candidates/0001/reply.md", some_reply(1));
  EXPECT_EQ(kgen({"resume", "moved"}).status.code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("moved/best.cu")));
}

TEST_F(Generate, WithoutADeviceItEndsAtCompiledAndSucceeds) {
  core::Evaluation compiled;
  compiled.compile.ok = true;
  compiled.message = "compiled; not run";
  write("reply.md", some_reply(1));
  const auto words =
      std::vector<std::string>{
          "generate", "--op", "softmax", "--provider", "exec", "--command", "cat >/dev/null; cat reply.md"} +
      with_worker(hello_script({{"kind", "none"}, {"name", "none; compiled for sm_90a"}}) +
                  "baseline result {\"baselines\":[]}\nevaluate result " + core::to_json(compiled).dump() +
                  "\n");
  const auto output = kgen(words);
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "compiled; not run")) << output.out;
}

}  // namespace
}  // namespace kgen::test
