// tune, and sweeps of generate, with a fake worker; the real one on the emulator is in emulator_test.cpp.
#include "cli/kgen_program.hpp"
#include "core/sweep.hpp"

namespace kgen::test {
namespace {

using core::Verdict;

std::string tunable_kernel() {
  std::string kernel = some_kernel();
  return kernel.insert(kernel.find("\"launches\""), "\"tunables\": {\"TT\": [64, 128, 256]},\n  ");
}

core::SweptVariant variant(std::int64_t value, Verdict verdict, double us) {
  core::SweptVariant out;
  out.variant = {{"TT", value}};
  out.verdict = verdict;
  if (verdict == Verdict::correct && us > 0) out.time = core::Interval{us, us - 1, us + 1, 16};
  return out;
}

std::string sweep_script(const std::vector<core::SweptVariant>& variants, bool timed = true) {
  core::SweepReply reply;
  reply.variants = variants;
  reply.method = timed ? "stream" : "";
  return "sweep event {\"event\":\"stage\",\"name\":\"variant TT=64\",\"ms\":9}\nsweep result " +
         core::to_json(reply).dump() + "\n";
}

class Tune : public KgenProgram {
 protected:
  std::vector<std::string> tune(const std::string& script) {
    write("kernel.cu", tunable_kernel());
    return std::vector<std::string>{"tune", "kernel.cu", "--op", "softmax", "--seed", "1"} +
           with_worker(hello_script() + script);
  }
  std::string three() {
    return sweep_script({variant(64, Verdict::correct, 100), variant(256, Verdict::wrong_result, 0),
                         variant(128, Verdict::correct, 80)});
  }
};

TEST_F(Tune, PrintsTheTableAndWritesTheKernelWithTheBestAsItsDefaults) {
  const auto output =
      kgen(tune(three() + correct_script(80)) + std::vector<std::string>{"--output", "tuned.cu"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "goes on with TT=128")) << output.out;
  EXPECT_TRUE(contains(output.out, "1 rejected")) << output.out;
  EXPECT_TRUE(contains(output.out, "2.00x [1.98, 2.02] over torch.compile")) << output.out;
  EXPECT_TRUE(contains(read(path("tuned.cu")), "\"defaults\": {\"TT\": 128}"));
}

TEST_F(Tune, JsonHasEveryVariant) {
  int code = 0;
  const auto answer = kgen_json(tune(three() + correct_script(80)), &code);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(answer.at("sweep").at("variants").size(), 3u);
  EXPECT_EQ(answer.at("sweep").at("variant").at("TT"), 128);
  EXPECT_EQ(answer.at("evaluation").at("verdict"), "correct");
}

TEST_F(Tune, FailsWhereNoVariantIsRight) {
  const auto output = kgen(tune(
      sweep_script({variant(64, Verdict::wrong_result, 0), variant(128, Verdict::compile_error, 0)}, false)));
  EXPECT_EQ(output.status.code, 3) << output.out << output.err;
  EXPECT_TRUE(contains(output.out, "2 rejected")) << output.out;
}

TEST_F(Tune, AnOldWorkerThatKnowsNoSweepIsAnError) {
  const auto output =
      kgen(tune("sweep error {\"kind\":\"bad_input\",\"message\":\"unknown method 'sweep'\"}\n"));
  EXPECT_EQ(output.status.code, 2);
  EXPECT_TRUE(contains(output.err, "unknown method 'sweep'")) << output.err;
}

TEST_F(Tune, APlanThatCannotBeResolvedIsSaid) {
  write("broken.cu", "no plan here");
  const auto output =
      kgen(std::vector<std::string>{"tune", "broken.cu", "--op", "softmax"} + with_worker(hello_script()));
  EXPECT_EQ(output.status.code, 2);
  EXPECT_TRUE(contains(output.err, "launch plan")) << output.err;
}

TEST_F(Tune, ARunSweepsItsCorrectCandidateAndShowsIt) {
  std::string reply = some_reply(1);
  reply.insert(reply.find("\"launches\""), "\"tunables\": {\"TT\": [64, 128, 256]},\n  ");
  write("reply.md", reply);
  const std::string evaluations = correct_script(100) + correct_script(80) + correct_script(80);
  const auto output =
      kgen(std::vector<std::string>{"generate", "--op", "softmax", "--seed", "1", "--provider", "exec",
                                    "--command", "cat >/dev/null; cat reply.md"} +
           with_worker(hello_script() + baseline_script() + three() + evaluations));
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.err, "3 variants tried, 1 rejected; goes on with TT=128")) << output.err;
  const auto run = only_run();
  EXPECT_TRUE(contains(read(run / "best.cu"), "\"defaults\": {\"TT\": 128}"));
  ASSERT_EQ(events_of(run, "swept").size(), 1u);
  EXPECT_EQ(events_of(run, "swept")[0].at("variant").at("TT"), 128);
  const auto show = kgen({"show", run.string(), "--candidate", "1"});
  EXPECT_TRUE(contains(show.out, "variants: 3 of 3 variants tried")) << show.out;
  const auto answer = kgen_json({"show", run.string(), "--candidate", "1"});
  EXPECT_EQ(answer.at("sweep").at("variants").size(), 3u);
  EXPECT_EQ(kgen({"report", run.string()}).status.code, 0);
  EXPECT_TRUE(contains(read(run / "report.html"), "\"sentence\":\"3 of 3 variants tried"));
  const auto markdown = kgen({"report", run.string(), "--markdown"});
  EXPECT_TRUE(contains(markdown.out, "| `TT=128` | `correct` | 80.00 us [79.00, 81.00] |")) << markdown.out;
}

TEST_F(Tune, ARunWithoutVariantsSweepsNothing) {
  write("reply.md", some_reply(1));
  const auto output = kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec",
                                                    "--command", "cat >/dev/null; cat reply.md"} +
                           with_worker(hello_script() + baseline_script() + correct_script(80)));
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(events_of(only_run(), "swept").empty());
}

}  // namespace
}  // namespace kgen::test
