#include "agent/run_folder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "unit/agent/fakes.hpp"

namespace kgen::test {
namespace {

using core::Verdict;

TEST(RunFolder, NamesSayOpDtypeDimsAndTime) {
  EXPECT_EQ(agent::run_name(softmax_task(), "20260102-030405"), "softmax-bf16-8192x8192-20260102-030405");
}

TEST(RunFolder, ATakenNameGetsANumber) {
  TestRun first;
  core::RunRecord record = first.stored().record;
  const std::string name = record.name;
  const auto second = agent::create_run(first.folder.path(), record);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->root.filename().string(), name + "-2");
  EXPECT_EQ(record.name, name + "-2");
}

TEST(RunFolder, OnlyOneProcessWrites) {
  TestRun run;
  const auto first = agent::Journal::open(run.paths);
  ASSERT_TRUE(first);
  const auto second = agent::Journal::open(run.paths);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::bad_input);
}

TEST(RunFolder, AFolderWithoutRunJsonIsNoRun) {
  TestRun run;
  std::filesystem::remove(run.paths.record());
  const auto opened = agent::Journal::open(run.paths);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("no run directory"), std::string::npos);
}

TEST(RunFolder, AParentThatCannotBeWrittenIsMissing) {
  TestRun run;
  core::RunRecord record = run.stored().record;
  const auto made = agent::create_run(run.paths.record(), record);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::missing);
}

TEST(RunFolder, NothingInARunNamesItsPlace) {
  TestRun run;
  ScriptedClient model(by_number({{Verdict::correct, 100}}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run.paths.root)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = util::read_file(entry.path()).value();
    EXPECT_EQ(text.find(run.folder.path().string()), std::string::npos) << entry.path();
  }
}

TEST(RunFolder, PromptFilesAreReadBackAsTheyWereAsked) {
  TestRun run;
  ScriptedClient model(by_number({{Verdict::correct, 100}}));
  FakeEvaluator judge;
  ASSERT_TRUE(run.search_with({&model}, judge));
  const llm::Prompt read = agent::read_prompt(run.paths, 1).value();
  EXPECT_EQ(read.system, model.requests()[0].prompt.system);
  EXPECT_EQ(read.user, model.requests()[0].prompt.user);
}

/// Files of this process may grow to `bytes` while this lives, as on a disk that is nearly full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit small{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int) = nullptr;
};

TEST(RunFolder, AFullDiskAtAnyMomentLosesNothing) {
  core::SearchOptions search;
  search.budget.candidates = 4;
  search.target = core::parse_target("1000x").value();
  const std::vector<Fate> fates{{Verdict::compile_error}, {Verdict::correct, 120}, {Verdict::correct, 100}};
  TestRun whole(search);
  ScriptedClient model(by_number(fates));
  FakeEvaluator judge;
  ASSERT_TRUE(whole.search_with({&model}, judge));
  int full = 0;
  for (rlim_t bytes = 0; bytes < 60'000; bytes += 1700) {
    TestRun run(search);
    {
      const SmallDisk disk(bytes);
      const auto finished = run.search_with({&model}, judge);
      if (!finished) {
        ++full;
        EXPECT_EQ(finished.error().kind, ErrorKind::missing) << finished.error().text();
      }
    }
    const auto finished = run.search_with({&model}, judge);
    ASSERT_TRUE(finished) << bytes << ": " << finished.error().text();
    EXPECT_EQ(fingerprint(run), fingerprint(whole)) << bytes;
  }
  EXPECT_GT(full, 10);
}

}  // namespace
}  // namespace kgen::test
