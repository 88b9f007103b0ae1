// batch with a fake worker and scripted models.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

using nlohmann::json;

class BatchCommand : public KgenProgram {
 protected:
  BatchCommand() {
    for (int i = 1; i <= 3; ++i) write("replies/" + std::to_string(i), some_reply(i));
  }
  /// A model command that answers with replies/N.
  static std::string model() { return "cat >/dev/null; cat replies/$KGEN_CANDIDATE"; }
  std::vector<std::string> batch(const std::string& script = correct_script()) {
    return std::vector<std::string>{"batch",      "list.toml", "--seed",    "7",
                                    "--provider", "exec",      "--command", model()} +
           with_worker(hello_script() + baseline_script() + script);
  }
  std::filesystem::path only_batch() const { return only_run(); }
  std::string standing(const json& document, std::size_t item) {
    return document.at("items").at(item).at("standing").get<std::string>();
  }
};

constexpr const char* kList =
    "searches = 2\n[[task]]\nop = 'softmax'\ndtype = ['bf16', 'f16']\ndims = {rows = [64, 128], cols = "
    "256}\n";

TEST_F(BatchCommand, SearchesForEveryTaskAndSumsUp) {
  write("list.toml", kList);
  int code = -1;
  const json document = kgen_json(batch(), &code);
  EXPECT_EQ(code, 0);
  ASSERT_EQ(document.at("items").size(), 4u);
  EXPECT_EQ(document.at("outcomes").at("target_met"), 4);
  EXPECT_EQ(document.at("items").at(3).at("task"), "softmax f16 rows=128 cols=256");
  EXPECT_DOUBLE_EQ(document.at("items").at(3).at("speedup").get<double>(), 2.0);
  for (const json& item : document.at("items")) {
    const auto run = only_batch() / item.at("run").get<std::string>();
    EXPECT_TRUE(std::filesystem::exists(run / "best.cu")) << run;
    EXPECT_EQ(kgen_json({"show", run.string()}).at("outcome"), "target_met");
  }
  EXPECT_EQ(read(only_batch() / "list.toml"), kList);
}

TEST_F(BatchCommand, OnTheEmulatorTasksAreCalledByTheShapeThatIsSearchedFor) {
  write("list.toml", "[[task]]\nop = 'softmax'\n");
  const auto words =
      std::vector<std::string>{"batch", "list.toml", "--provider", "exec", "--command", model()} +
      with_worker(hello_script({{"kind", "emulator"}}) + correct_script());
  EXPECT_EQ(kgen_json(words).at("items").at(0).at("task"), "softmax bf16 rows=64 cols=1024");  // device auto
  EXPECT_EQ(kgen({"report", only_batch().string(), "--markdown"}).out.find("8192"), std::string::npos);
  const auto named = kgen_json(words + std::vector<std::string>{"--device", "emulator", "--runs", "named"});
  EXPECT_EQ(named.at("items").at(0).at("run"), "runs/0001-softmax-bf16-64x1024");
}

TEST_F(BatchCommand, ADryRunStartsNothing) {
  write("list.toml", std::string("dollars = 3\n") + kList + "target = '1.5x'\ncandidates = 5\n");
  const auto output = kgen({"batch", "list.toml", "--dry-run", "--worker", "no-such-worker"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "softmax f16 rows=128 cols=256")) << output.out;
  EXPECT_TRUE(contains(output.out, "1.5x")) << output.out;
  EXPECT_TRUE(contains(output.out, "4 tasks, 2 at once, $3.00 for all; nothing was started")) << output.out;
  EXPECT_FALSE(std::filesystem::exists(path("runs")));
}

TEST_F(BatchCommand, AListThatIsWrongIsRefusedBeforeAnythingStarts) {
  const auto expect = [&](const std::string& list, const std::string& part) {
    write("list.toml", list);
    const auto output = kgen(batch());
    EXPECT_EQ(output.status.code, 2) << output.err;
    EXPECT_TRUE(contains(output.err, part)) << output.err;
    EXPECT_FALSE(std::filesystem::exists(path("runs")));
  };
  expect("[[task]]\nop = 'sofmax'\n", "task 1: ");
  expect("[[task]]\nop = 'softmax'\ndims = {rows = 0}\n", "task 1: ");
  expect("[[task]]\nop = 'softmax'\nshape = ['rows=8,cols=8', 'rows=8,cols=8']\n",
         "task 2: softmax bf16 rows=8 cols=8 is listed twice");
  expect("[[task]]\nop = 'softmax'\nfoo = 1\n", "list.toml:3: unknown key 'foo'");
  EXPECT_EQ(kgen({"batch", "list.toml", "--only-failed"}).status.code, 2);
  EXPECT_EQ(kgen({"batch", "missing.toml"}).status.code, 2);
}

TEST_F(BatchCommand, TheWorstItemGivesTheCodeAndFailedOnesCanBeTriedAgain) {
  write("list.toml", std::string("[[task]]\nop = 'softmax'\n[[task]]\nop = 'softmax'\ndtype = 'f16'\n") +
                         "command = 'echo overloaded >&2; exit 9'\n");
  std::vector<std::string> words = batch();
  std::erase(words, "--command");
  std::erase(words, model());
  write("kgen.toml", "command = '" + model() + "'\n");
  int code = 0;
  const json first = kgen_json(words, &code);
  EXPECT_EQ(code, 4);
  EXPECT_EQ(standing(first, 0), "target_met");
  EXPECT_EQ(standing(first, 1), "model provider failed");
  EXPECT_TRUE(contains(first.at("items").at(1).at("problem"), "overloaded"));

  const json again =
      kgen_json({"batch", only_batch().string(), "--only-failed", "--command", model()}, &code);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(standing(again, 1), "target_met");
  EXPECT_EQ(events_of(only_batch() / "runs" / first.at("items").at(0).at("run").get<std::string>().substr(5),
                      "resumed")
                .size(),
            0u);
}

TEST_F(BatchCommand, WaitsForRepliesAndGoesOn) {
  write("list.toml", "[[task]]\nop = 'softmax'\n[[task]]\nop = 'softmax'\ndtype = 'f16'\n");
  int code = 0;
  kgen_json(std::vector<std::string>{"batch", "list.toml", "--provider", "manual"} +
                with_worker(hello_script() + baseline_script() + correct_script()),
            &code);
  EXPECT_EQ(code, 75);
  for (const auto& run : std::filesystem::directory_iterator(only_batch() / "runs"))
    ASSERT_TRUE(util::write_file_atomic(run.path() / "candidates/0001/reply.md", some_reply(1)));
  const json document = kgen_json({"batch", only_batch().string()}, &code);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(document.at("outcomes").at("target_met"), 2);
}

TEST_F(BatchCommand, OneHoldsABatchAtATime) {
  write("list.toml", "[[task]]\nop = 'softmax'\n");
  ASSERT_EQ(kgen(batch()).status.code, 0);
  const auto lock = util::FolderLock::acquire(only_batch());
  const auto output = kgen({"batch", only_batch().string()});
  EXPECT_EQ(output.status.code, 2);
  EXPECT_TRUE(contains(output.err, "in use")) << output.err;
}

}  // namespace
}  // namespace kgen::test
