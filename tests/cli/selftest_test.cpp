// kgen selftest from outside, with a worker that answers as a script says.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

class Selftest : public KgenProgram {
 protected:
  std::vector<std::string> selftest(const std::string& filter, const std::string& script) const {
    return std::vector<std::string>{"selftest", "--filter", filter, "--seed", "7"} +
           with_worker(hello_script() + script);
  }
};

TEST_F(Selftest, PassesWhereEveryCheatIsCaught) {
  const auto output = kgen(selftest("softmax/zeros bf16", verdict_script("wrong_result", "all zero")));
  EXPECT_EQ(output.status.code, 0) << output.out << output.err;
  EXPECT_TRUE(contains(output.out, "Fake GPU (sm_90a), seed 7")) << output.out;
  EXPECT_TRUE(contains(output.out, "1 evaluation: 1 caught, 0 ACCEPTED")) << output.out;
  EXPECT_TRUE(contains(output.err, "1/1 softmax/zeros bf16: caught, wrong_result")) << output.err;
}

TEST_F(Selftest, FailsWhereACheatIsAcceptedOrAGoodKernelRejected) {
  int code = 0;
  const auto accepted = kgen_json(selftest("softmax/zeros bf16", correct_script()), &code);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(accepted.at("exit_code"), 3);
  EXPECT_EQ(accepted.at("seed"), 7);
  EXPECT_EQ(accepted.at("outcomes").at("ACCEPTED"), 1);
  const auto output = kgen(selftest("any_cols bf16", verdict_script("wrong_result", "values differ")));
  EXPECT_EQ(output.status.code, 3);
  EXPECT_TRUE(contains(output.out, "expected correct; values differ")) << output.out;
}

TEST_F(Selftest, AWorkerThatDiesIsAFailureOfThatTrialAlone) {
  const auto output = kgen(selftest("softmax/zeros bf16", "evaluate signal 9\n"));
  EXPECT_EQ(output.status.code, 3) << output.err;
  EXPECT_TRUE(contains(output.out, "1 FAILED")) << output.out;
}

TEST_F(Selftest, WithoutADeviceItSaysWhatToDo) {
  const auto output =
      kgen(std::vector<std::string>{"selftest"} + with_worker(hello_script({{"kind", "none"}})));
  EXPECT_EQ(output.status.code, 5);
  EXPECT_TRUE(contains(output.err, "--worker 'ssh HOST kgen-worker'")) << output.err;
}

TEST_F(Selftest, AFilterThatChoosesNothingIsRefused) {
  EXPECT_EQ(kgen({"selftest", "--filter", "no-such-kernel"}).status.code, 2);
  EXPECT_TRUE(contains(kgen({"selftest", "--filter", "no-such-kernel"}).err, "'no-such-kernel'"));
}

}  // namespace
}  // namespace kgen::test
