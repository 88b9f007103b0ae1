// eval, ops, doctor and completion from outside.
#include <sys/stat.h>

#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

class Commands : public KgenProgram {
 protected:
  std::vector<std::string> eval(const std::string& script) {
    write("kernel.cu", some_kernel());
    return std::vector<std::string>{"eval", "kernel.cu", "--op", "softmax"} +
           with_worker(hello_script() + script);
  }

  /// The built-in softmax as an op of the user's, `begin` before its first line.
  void write_softmax(const std::string& folder, const std::string& name, const std::string& begin = "") {
    const auto source = std::filesystem::path(KGEN_SOURCE_DIR) / "reference_ops" / "softmax";
    std::string toml = read(source / "op.toml");
    toml.replace(toml.find("\"softmax\""), 9, "\"" + name + "\"");
    write(folder + "/op.toml", begin + toml);
    write(folder + "/reference.cu", read(source / "reference.cu"));
  }
};

TEST_F(Commands, EvalOfACorrectKernelShowsItsTimeAndSucceeds) {
  const auto output = kgen(eval(correct_script()));
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "kernel.cu: softmax bf16 rows=8192 cols=8192 on Fake GPU")) << output.out;
  EXPECT_TRUE(contains(output.out, "2.00x [1.98, 2.02] over torch.compile (160 us)")) << output.out;
}

TEST_F(Commands, EvalOfAWrongKernelFails) {
  int code = 0;
  const auto answer = kgen_json(eval(verdict_script("wrong_result", "values differ")), &code);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(answer.at("evaluation").at("verdict"), "wrong_result");
}

TEST_F(Commands, EvalWithATargetThatIsMissedFails) {
  const auto met = kgen(eval(correct_script()) + std::vector<std::string>{"--target", "1.5x"});
  const auto missed = kgen(eval(correct_script()) + std::vector<std::string>{"--target", "2.5x"});
  EXPECT_EQ(met.status.code, 0);
  EXPECT_EQ(missed.status.code, 3);
  EXPECT_TRUE(contains(met.out, "target  1.5x: met")) << met.out;
  EXPECT_TRUE(contains(missed.out, "target  2.5x: not met")) << missed.out;
}

TEST_F(Commands, EvalOfAWorkerThatDiesSaysHow) {
  const auto output = kgen(eval("evaluate stderr out of memory\nevaluate signal 9\n"));
  EXPECT_EQ(output.status.code, 5);
  EXPECT_TRUE(contains(output.err, "ended with signal 9 (SIGKILL)")) << output.err;
  EXPECT_TRUE(contains(output.err, "out of memory")) << output.err;
}

TEST_F(Commands, OpsAreListedAndShown) {
  EXPECT_TRUE(contains(kgen({"ops", "list"}).out, "softmax"));
  EXPECT_TRUE(contains(kgen({"ops", "show", "add_relu"}).out, "add_relu:"));
  const auto answer = kgen_json({"ops", "list"});
  EXPECT_GE(answer.at("ops").size(), 2u);
}

TEST_F(Commands, AnOpOfTheUsersIsFound) {
  write_softmax("ops/mine", "my_softmax");
  const auto output = kgen({"ops", "list", "--ops", "ops"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "my_softmax")) << output.out;
}

TEST_F(Commands, AFolderThatCannotBeReadTakesAwayItsOwnOpAlone) {
  write_softmax("ops/mine", "my_softmax");
  write_softmax("ops/other", "add_relu", "dtypez = 1\n");
  write_softmax("ops/half", "half", "name = \n");
  const auto list = kgen({"ops", "list", "--ops", "ops"});
  EXPECT_EQ(list.status.code, 0) << list.err;
  EXPECT_TRUE(contains(list.out, "my_softmax") && contains(list.out, "left out: ops/half/op.toml:1"))
      << list.out;
  EXPECT_TRUE(contains(list.out, "unknown field 'dtypez'")) << list.out;
  EXPECT_EQ(kgen_json({"ops", "list", "--ops", "ops"}).at("left_out").size(), 2U);
  for (const char* whole : {"softmax", "my_softmax"})
    EXPECT_EQ(kgen({"ops", "show", whole, "--ops", "ops"}).status.code, 0) << whole;
  const auto other = kgen({"ops", "show", "add_relu", "--ops", "ops"});
  EXPECT_EQ(other.status.code, 2) << "the built-in op does not stand in for one of the user's";
  EXPECT_TRUE(contains(other.err, "unknown field 'dtypez'")) << other.err;
  EXPECT_TRUE(contains(kgen({"ops", "show", "nothing", "--ops", "ops"}).err, "left out: ops/half/op.toml"));
  EXPECT_EQ(kgen({"ops", "check", "--all", "--ops", "ops", "--device", "emulator"}).status.code, 2);
}

TEST_F(Commands, OfTwoOpsOfOneNameNeitherIsTaken) {
  write_softmax("ops/one", "my_softmax");
  write_softmax("ops/other", "my_softmax");
  const auto output = kgen({"ops", "show", "my_softmax", "--ops", "ops"});
  EXPECT_EQ(output.status.code, 2) << output.out;
  EXPECT_TRUE(
      contains(output.err, "ops/one/op.toml and ops/other/op.toml: name: both ops are named my_softmax"))
      << output.err;
  EXPECT_TRUE(
      contains(kgen({"ops", "list", "--ops", "ops"}).out, "left out: ops/one/op.toml and ops/other/op.toml"));
}

TEST_F(Commands, APipeInAnOpsFolderIsNotWaitedFor) {
  std::filesystem::create_directories(path("ops/pipe"));
  ASSERT_EQ(::mkfifo(path("ops/pipe/op.toml").c_str(), 0600), 0);
  EXPECT_TRUE(contains(kgen({"ops", "show", "./ops/pipe"}).err, "op.toml is no regular file"));
  EXPECT_EQ(kgen({"ops", "list", "--ops", "ops"}).status.code, 0);
}

TEST_F(Commands, MessagesKeepControlCharactersToThemselves) {
  const auto output = kgen({"ops", "show", "soft\x1b[2Jmax"});
  EXPECT_EQ(output.status.code, 2);
  EXPECT_FALSE(contains(output.err, "\x1b")) << output.err;
}

TEST_F(Commands, DoctorSaysWhatIsMissingAndWhereSettingsComeFrom) {
  write("kgen.toml", "candidates = 3\n");
  environment_["OPENAI_API_KEY"] = "sk-very-secret";
  const auto output = kgen(std::vector<std::string>{"doctor"} + with_worker(hello_script()));
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "-> pip install torch")) << output.out;
  EXPECT_TRUE(contains(output.out, "3 (kgen.toml:1)")) << output.out;
  EXPECT_TRUE(contains(output.out, "OPENAI_API_KEY is set")) << output.out;
  EXPECT_FALSE(contains(output.out, "sk-very-secret"));
}

TEST_F(Commands, DoctorNamesVariablesThatAreNoSettings) {
  environment_["KGEN_MODLE"] = "opus";
  environment_["KGEN_MODEL"] = "opus";
  const auto output = kgen(std::vector<std::string>{"doctor"} + with_worker(hello_script()));
  EXPECT_TRUE(contains(output.out, "no  KGEN_MODLE")) << output.out;
  EXPECT_TRUE(contains(output.out, "unset it, or rename it: the nearest are KGEN_MODEL, ")) << output.out;
  EXPECT_FALSE(contains(output.out, "no  KGEN_MODEL ")) << output.out;
}

TEST_F(Commands, DoctorWorksWithoutAWorker) {
  const auto output = kgen({"doctor", "--worker", "no-such-worker"});
  EXPECT_EQ(output.status.code, 5);
  EXPECT_TRUE(contains(output.out, "no  kgen-worker")) << output.out;
  EXPECT_TRUE(contains(output.out, "OPENAI_API_KEY is not set")) << output.out;
}

TEST_F(Commands, CompletionKnowsTheCommands) {
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_TRUE(contains(kgen({"completion", shell}).out, "generate"));
}

}  // namespace
}  // namespace kgen::test
