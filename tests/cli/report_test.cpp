// kgen report: the evidence of a run and of a batch as a file, and as Markdown.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

/// The JSON that a report holds as `id`.
nlohmann::json data_of(const std::string& page, const std::string& id) {
  const std::string begin = "<script type=\"application/json\" id=\"" + id + "\">";
  const auto at = page.find(begin);
  if (at == std::string::npos) return nullptr;
  const auto from = at + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from), nullptr, false);
}

class Report : public KgenProgram {
 protected:
  std::vector<std::string> worker() const {
    return with_worker(hello_script() + baseline_script() + correct_script());
  }

  /// A run that replays two recorded replies.
  std::string replayed_run() {
    for (int number = 1; number <= 2; ++number)
      write("transcript/000" + std::to_string(number) + "/reply.md", some_reply(number));
    write("transcript/transcript.json",
          R"({"schema":1,"model":"recorded-model","replies":[{"folder":"0001"},{"folder":"0002"}]})");
    const auto output =
        kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", "replay", "--transcript",
                                      "transcript", "--candidates", "2", "--target", "3x"} +
             worker());
    EXPECT_TRUE(output.status.code == 0 || output.status.code == 3) << output.err;
    return only_run().string();
  }
};

TEST_F(Report, OfAReplayedRunIsOneFileWithAllItsEvidence) {
  const std::string folder = replayed_run();
  kgen({"review", folder, "--reject", "-m", "not fast enough", "--by", "anna"});
  const auto output = kgen({"report", folder});
  ASSERT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "report.html: open it in a browser")) << output.out;
  const std::string page = read(folder + "/report.html");
  const auto data = data_of(page, "run-0");
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data.at("candidates").size(), 2u);
  EXPECT_EQ(data.at("candidates").at(1).at("source"), read(folder + "/candidates/0002/kernel.cu"));
  EXPECT_EQ(data.at("outcome").at("review").at("by"), "anna");
  EXPECT_TRUE(contains(data.dump(), "replay of a recorded transcript: no model was asked"));
  EXPECT_FALSE(contains(page, path("").string())) << "a path of this machine";
}

TEST_F(Report, CanBeWrittenElsewhereAndSaysHowLargeItIs) {
  const std::string folder = replayed_run();
  const auto document = kgen_json({"report", folder, "-o", "there/my.html"});
  EXPECT_EQ(document.at("file"), "there/my.html");
  EXPECT_EQ(document.at("bytes"), read(path("there/my.html")).size());
  EXPECT_FALSE(std::filesystem::exists(folder + "/report.html"));
  EXPECT_TRUE(kgen({"report", folder, "-o", "-"}).out.starts_with("<!doctype html>"));
}

TEST_F(Report, AsMarkdownGoesToStdout) {
  const std::string folder = replayed_run();
  const auto output = kgen({"report", folder, "--markdown"});
  EXPECT_EQ(output.status.code, 0);
  EXPECT_TRUE(output.out.starts_with("## `softmax bf16 rows=8192 cols=8192`\n")) << output.out;
  EXPECT_TRUE(contains(output.out, "### How to reproduce"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/report.html"));
}

TEST_F(Report, OfARunThatWasInterruptedSaysSo) {
  write("reply", some_reply(1));
  kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec", "--command", "exit 1"} +
       worker());
  const auto output = kgen({"report", only_run().string(), "--markdown"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "The search is not finished")) << output.out;
}

TEST_F(Report, OfABatchHasAnIndexAndEveryRun) {
  write("reply", some_reply(1));
  write("list.toml",
        "[defaults]\nprovider = 'exec'\ncommand = 'cat >/dev/null; cat reply'\ncandidates = 1\n"
        "[[task]]\nop = 'softmax'\ndtype = ['bf16', 'f16']\n[[task]]\nop = 'add_relu'\n");
  kgen(std::vector<std::string>{"batch", "list.toml", "--searches", "1"} + worker());
  const std::string folder = only_run().string();
  const auto output = kgen({"report", folder});
  ASSERT_EQ(output.status.code, 0) << output.err;
  const std::string page = read(folder + "/report.html");
  const auto index = data_of(page, "batch");
  ASSERT_TRUE(index.is_object());
  ASSERT_EQ(index.at("items").size(), 3u);
  EXPECT_EQ(index.at("items").at(0).at("outcome"), "target_met");
  EXPECT_EQ(index.at("items").at(0).at("over"), "2.00x [1.98, 2.02]");
  for (const char* id : {"run-0", "run-1", "run-2"}) EXPECT_TRUE(data_of(page, id).is_object()) << id;
  EXPECT_TRUE(contains(kgen({"report", folder, "--markdown"}).out,
                       "| 1 | `softmax bf16 rows=8192 cols=8192` | `target_met` |"));
}

TEST_F(Report, OfWhatIsNoRunIsRefused) {
  EXPECT_EQ(kgen({"report", "nowhere"}).status.code, 2);
  const std::string folder = replayed_run();
  write("runs/" + std::filesystem::path(folder).filename().string() + "/candidates/0001/evaluation.json",
        "{");
  const auto output = kgen({"report", folder});
  EXPECT_EQ(output.status.code, 2);
  EXPECT_TRUE(contains(output.err, "evaluation.json")) << output.err;
}

}  // namespace
}  // namespace kgen::test
