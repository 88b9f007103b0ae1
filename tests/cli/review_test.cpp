// kgen review: who accepted or rejected the result of a run, and where that is to be seen.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

class Review : public KgenProgram {
 protected:
  /// A finished run, or one whose only reply never comes.
  std::string run(bool finished = true) {
    write("reply", some_reply(1));
    kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec", "--candidates", "1",
                                  "--command", finished ? "cat >/dev/null; cat reply" : "exit 1"} +
         with_worker(hello_script() + baseline_script() + correct_script()));
    return only_run().string();
  }
};

TEST_F(Review, IsJournaledWithWhoAndWhenAndShown) {
  const std::string folder = run();
  environment_["USER"] = "anna";
  const auto output = kgen({"review", folder, "--accept", "-m", "fast enough"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "target_met, accepted by anna: fast enough\n")) << output.out;
  const auto events = events_of(folder, "reviewed");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].at("by"), "anna");
  EXPECT_EQ(events[0].at("accepted"), true);
  EXPECT_FALSE(events[0].at("at").get<std::string>().empty());
  EXPECT_TRUE(contains(kgen({"show", folder}).out, "accepted by anna: fast enough (2"));
  EXPECT_TRUE(contains(kgen({"show", folder, "--why"}).out, "  accepted by anna: fast enough\n"));
}

TEST_F(Review, TheLastOneCounts) {
  const std::string folder = run();
  kgen({"review", folder, "--accept", "-m", "fine", "--by", "anna"});
  const auto document = kgen_json({"review", folder, "--reject", "--message", "no", "--by", "bert"});
  EXPECT_EQ(document.at("review").at("by"), "bert");
  const auto shown = kgen_json({"show", folder});
  EXPECT_EQ(shown.at("review").at("accepted"), false);
  EXPECT_EQ(shown.at("review").at("note"), "no");
  EXPECT_EQ(events_of(folder, "reviewed").size(), 2u);
}

TEST_F(Review, RefusesARunThatIsNotFinishedAndAReviewThatSaysNothing) {
  const std::string folder = run(false);
  const auto output = kgen({"review", folder, "--accept", "-m", "fine"});
  EXPECT_EQ(output.status.code, 2);
  EXPECT_TRUE(contains(output.err, "is not finished")) << output.err;
  EXPECT_TRUE(contains(output.err, "kgen resume")) << output.err;
  EXPECT_EQ(kgen({"review", folder, "-m", "fine"}).status.code, 2);
  EXPECT_EQ(kgen({"review", folder, "--accept", "--reject", "-m", "fine"}).status.code, 2);
  EXPECT_EQ(kgen({"review", folder, "--accept", "-m", "  "}).status.code, 2);
  EXPECT_EQ(kgen({"review", folder, "--accept"}).status.code, 2);
  EXPECT_EQ(kgen({"review", "nowhere", "--accept", "-m", "x"}).status.code, 2);
  EXPECT_TRUE(events_of(folder, "reviewed").empty());
}

}  // namespace
}  // namespace kgen::test
