// What a person can get wrong: each has a clear message and the exit code of the design.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

struct Mistake {
  std::vector<std::string> words;
  int code;
  std::string message;
};

class BadInput : public KgenProgram {
 protected:
  void expect(const std::vector<Mistake>& mistakes) {
    for (const Mistake& mistake : mistakes) {
      const auto output = kgen(mistake.words);
      std::string line;
      for (const auto& word : mistake.words) line += " " + word;
      EXPECT_EQ(output.status.code, mistake.code) << line << "\n" << output.err;
      EXPECT_TRUE(contains(output.err, mistake.message)) << line << "\n" << output.err;
      EXPECT_EQ(output.out, "") << line;
    }
  }
};

TEST_F(BadInput, NamesAndNumbersAreCheckedBeforeAnythingStarts) {
  write("kernel.cu", some_kernel());
  const std::vector<std::string> eval = {"eval",    "kernel.cu", "--op",
                                         "softmax", "--worker",  "no-such-worker"};
  expect({
      {{"generate", "--op", "sofmax"}, 2, "unknown op 'sofmax'"},
      {{"eval", "kernel.cu", "--op", "nothing"}, 2, "the ops are: "},
      {eval + std::vector<std::string>{"--shape", "rows=8"}, 2, "dim 'cols' of softmax is missing"},
      {eval + std::vector<std::string>{"--shape", "rows=8,cols=8,depth=1"}, 2, "softmax has no dim 'depth'"},
      {eval + std::vector<std::string>{"--shape", ""}, 2, "--shape: it names no dim"},
      {eval + std::vector<std::string>{"--shape", "rows=8,cols=0"}, 2, "at least 1"},
      {eval + std::vector<std::string>{"--shape", "rows=-8,cols=8"}, 2, "at least 0"},
      {eval + std::vector<std::string>{"--shape", "rows=many,cols=8"}, 2, "not a whole number"},
      {eval + std::vector<std::string>{"--shape", "rows=99999999999999999999,cols=8"}, 2, "64 bits"},
      {eval + std::vector<std::string>{"--shape", "rows=4Gi,cols=4Gi"}, 2, "bytes"},
      {eval + std::vector<std::string>{"--dtype", "f8"}, 2, "f8"},
      {eval + std::vector<std::string>{"--attr", "eps=1"}, 2, "has no attribute 'eps'"},
      {eval + std::vector<std::string>{"--target", "fast"}, 2, "fast"},
      {eval + std::vector<std::string>{"--device", "gpu7"}, 2,
       "--device takes auto, cuda:N, emulator or none"},
      {eval + std::vector<std::string>{"--kernel-timeout", "soon"}, 2,
       "--kernel-timeout: kernel_timeout expects a number"},
      {eval + std::vector<std::string>{"--dtyp", "f32"}, 2, "nearest: --dtype"},
      {{"evaluate", "kernel.cu"}, 2, "the commands are: eval"},
      {{}, 2, "no command is given"},
  });
}

TEST_F(BadInput, AShapeTooBigForTheDeviceSaysHowMuchItNeeds) {
  write("kernel.cu", some_kernel());
  expect({{std::vector<std::string>{"eval", "kernel.cu", "--op", "softmax", "--shape", "rows=1Mi,cols=64Ki"} +
               with_worker(hello_script()),
           2, "256 GiB for its tensors, the rest for expected values in fp64; Fake GPU has 16 GiB"}});
}

TEST_F(BadInput, AKernelThatCannotBeReadOrIsEmptyIsRefused) {
  write("empty.cu", " \n");
  expect({{{"eval", "missing.cu", "--op", "softmax"}, 2, "missing.cu"},
          {{"eval", ".", "--op", "softmax"}, 2, "."},
          {{"eval", "empty.cu", "--op", "softmax"}, 2, "empty.cu is empty"}});
}

TEST_F(BadInput, AMissingKeySaysWhatToDoAndHowToSeeAReplay) {
  expect({{{"generate", "--op", "softmax"}, 4, "OPENAI_API_KEY"},
          {{"generate", "--op", "softmax"}, 4, "--provider replay"},
          {{"generate", "--op", "softmax", "--provider", "oracle"}, 2, "openai-chat"}});
  EXPECT_FALSE(std::filesystem::exists(path("runs")));
}

TEST_F(BadInput, AWorkerThatIsNotThereIsMissing) {
  write("kernel.cu", some_kernel());
  expect({{{"eval", "kernel.cu", "--op", "softmax", "--worker", "no-such-worker"}, 5, "no-such-worker"},
          {{"eval", "kernel.cu", "--op", "softmax", "--worker", "sh -c 'echo no GPU here >&2; exit 3'"},
           5,
           "no GPU here"},
          {{"eval", "kernel.cu", "--op", "softmax", "--worker", "'open"}, 2, "no closing '"}});
}

TEST_F(BadInput, ARunDirectoryThatCannotBeWrittenIsMissing) {
  write("file", "");
  expect({{std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec", "--command", "false",
                                    "--runs", "file/runs"} +
               with_worker(hello_script()),
           5, "file/runs"}});
}

TEST_F(BadInput, AFullDiskIsMissingSpace) {
  const auto output = kgen({"ops", "list", "--json", "/dev/full"});
  EXPECT_EQ(output.status.code, 5);
  EXPECT_TRUE(contains(output.err, "No space left")) << output.err;
}

TEST_F(BadInput, ADiskThatIsFullFromTheStartLeavesNoHalfMadeRun) {
  const auto output = kgen_after(
      "trap '' XFSZ; ulimit -f 8",
      std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec", "--command", "false"} +
          with_worker(hello_script()));
  EXPECT_EQ(output.status.code, 5) << output.err;
  EXPECT_TRUE(contains(output.err, "run.json: File too large")) << output.err;
  EXPECT_TRUE(std::filesystem::is_empty(path("runs")));
}

TEST_F(BadInput, ADiskThatFillsUpDuringARunLosesNothingThatWasJournaled) {
  write("reply", some_reply(1) + std::string(200'000, '\n'));
  const auto limited =
      kgen_after("trap '' XFSZ; ulimit -f 200",
                 std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec", "--command",
                                          "cat >/dev/null; cat reply", "--candidates", "1"} +
                     with_worker(hello_script() + baseline_script() + correct_script()));
  EXPECT_EQ(limited.status.code, 5) << limited.err;
  EXPECT_TRUE(contains(limited.err, "reply.md: File too large")) << limited.err;
  const auto resumed = kgen({"resume", only_run().string()});
  EXPECT_EQ(resumed.status.code, 0) << resumed.err;
  EXPECT_EQ(events_of(only_run(), "evaluated").size(), 2u) << "a screen and a promotion";
}

TEST_F(BadInput, AFolderThatIsNoRunIsRefused) {
  write("folder/file", "");
  expect({{{"show", "folder"}, 2, "folder"}, {{"resume", "nowhere"}, 2, "nowhere"}});
}

TEST_F(BadInput, ABrokenRunRecordNamesItsFolder) {
  write("runs/broken/run.json", "{}");
  write("runs/broken/journal.jsonl", "");
  expect({{{"resume", "runs/broken"}, 2, "runs/broken: "}, {{"show", "runs/broken"}, 2, "runs/broken: "}});
}

TEST_F(BadInput, AFileThatIsLargerThanAnyKernelIsRefused) {
  write("big.cu", std::string(5 << 20, ' '));
  expect({{{"eval", "big.cu", "--op", "softmax"}, 2, "big.cu is larger than 4 MiB"}});
}

TEST_F(BadInput, AConfigurationMistakeNamesFileAndLine) {
  write("kgen.toml", "device = 'none'\ncandidats = 3\n");
  expect({{{"ops", "list"}, 2, "kgen.toml:2: unknown key 'candidats'"}});
}

TEST_F(BadInput, ErrorsAreWrittenAsJsonToo) {
  int code = 0;
  const auto json = kgen_json({"generate", "--op", "softmax"}, &code);
  EXPECT_EQ(code, 4);
  EXPECT_EQ(json.at("exit_code"), 4);
  EXPECT_EQ(json.at("command"), "generate");
  EXPECT_EQ(json.at("error").at("kind"), "provider");
}

}  // namespace
}  // namespace kgen::test
