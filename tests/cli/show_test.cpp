// kgen show: candidates, what they came from and what happened to them.
#include "cli/kgen_program.hpp"
#include "core/evaluation.hpp"

namespace kgen::test {
namespace {

class Show : public KgenProgram {
 protected:
  /// A run whose first reply is wrong, whose second repairs it, and whose third is empty.
  std::string run() {
    write("replies/1", some_reply(1));
    write("replies/2", some_reply(2));
    write("replies/3", "");
    core::Evaluation wrong;
    wrong.verdict = core::Verdict::wrong_result;
    wrong.message = "values differ";
    wrong.kernel_output = "the sum is 3\n";
    const std::string script = "evaluate result " + core::to_json(wrong).dump() + "\n";
    kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec", "--explore", "1",
                                  "--command", "cat >/dev/null; cat replies/$KGEN_CANDIDATE", "--candidates",
                                  "3"} +
         with_worker(hello_script() + baseline_script() + script));
    return only_run().string();
  }
};

TEST_F(Show, ACandidateShowsWhatItPrintedAndItsSteps) {
  const auto output = kgen({"show", run(), "--candidate", "1", "--why"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "  | the sum is 3\n")) << output.out;
  EXPECT_TRUE(contains(output.out, "candidate 1: plan")) << output.out;
  EXPECT_FALSE(contains(output.out, "candidate 2: ")) << output.out;
}

TEST_F(Show, ADiffIsAgainstTheParent) {
  const std::string folder = run();
  const auto output = kgen({"show", folder, "--candidate", "2", "--diff"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "--- candidate 1\n+++ candidate 2\n")) << output.out;
  EXPECT_TRUE(contains(output.out, "-// candidate 1\n+// candidate 2\n")) << output.out;
  EXPECT_TRUE(contains(kgen({"show", folder, "--candidate", "1", "--diff"}).err, "has no parent"));
  EXPECT_TRUE(contains(kgen({"show", folder, "--candidate", "3", "--diff"}).err, "no kernel to compare"));
  EXPECT_EQ(kgen({"show", folder, "--diff"}).status.code, 2);
}

TEST_F(Show, AReplyWithoutAKernelIsShownAsAReply) {
  const auto output = kgen({"show", run(), "--candidate", "3"});
  EXPECT_TRUE(contains(output.out, "reply.md: softmax bf16 rows=8192 cols=8192\nreply_invalid"))
      << output.out;
  EXPECT_TRUE(contains(kgen({"show", only_run().string(), "--candidate", "9"}).err, "candidates 1 to 3"));
}

}  // namespace
}  // namespace kgen::test
