// The tools' processes, with a script in place of compute-sanitizer.
#include "harness/sanitize/run_tools.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "util/file.hpp"

namespace kgen::sanitize {
namespace {

Job small_job() {
  Job job;
  job.device = 2;
  job.programs = {{std::string("cubin\0x", 7), {{"k<1>", "_Zk", 1024, {256, 1, 1}, {0, 0, 0}, false}}}};
  JobCase one;
  one.title = "rows=2,cols=3";
  run::LaunchKernel launch;
  launch.lowered_name = "_Zk";
  launch.grid = {2, 1, 1};
  one.sequence.steps = {launch, run::FillBuffer{"y", 4, 7, 6}};
  one.buffers = {{"x", 24, std::string(24, '\1')}, {"y", 24, ""}, {"empty", 0, ""}};
  job.cases = {one};
  return job;
}

TEST(SanitizeJob, ComesBackAsItWasWritten) {
  const auto folder = util::TemporaryFolder::create("kgen-test").value();
  ASSERT_TRUE(write_job(folder.path(), small_job()));
  const Job back = read_job(folder.path()).value();
  EXPECT_EQ(back.device, 2);
  EXPECT_EQ(back.programs.at(0).cubin, small_job().programs[0].cubin);
  EXPECT_EQ(back.programs.at(0).kernels.at(0).dynamic_shared_bytes, 1024);
  EXPECT_EQ(back.cases.at(0).title, "rows=2,cols=3");
  EXPECT_EQ(back.cases.at(0).sequence.steps.size(), 2u);
  EXPECT_EQ(back.cases.at(0).buffers.at(0).data, std::string(24, '\1'));
  EXPECT_EQ(back.cases.at(0).buffers.at(1).bytes, 24);
  EXPECT_TRUE(back.cases.at(0).buffers.at(1).data.empty());
}

TEST(SanitizeJob, ABrokenOneIsAnError) {
  const auto folder = util::TemporaryFolder::create("kgen-test").value();
  EXPECT_FALSE(read_job(folder.path()));
  for (const char* text :
       {"{", "{}", R"({"device": 0, "programs": [{"cubin": [0, 99], "kernels": []}], "cases": []})"}) {
    std::ofstream(folder.path() / "job.json") << text;
    std::ofstream(folder.path() / "job.bin") << "abc";
    EXPECT_FALSE(read_job(folder.path())) << text;
  }
}

/// A program in place of compute-sanitizer that runs `script` with $log, $tool and $worker set.
struct FakeTool {
  explicit FakeTool(const std::string& script) {
    const auto path = folder.path() / "compute-sanitizer";
    std::ofstream(path) << "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in --log-file) log=$2;; --tool) "
                           "tool=$2;; esac; shift; done\n"
                        << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setup.sanitizer = path.string();
    setup.worker = "/nowhere/kgen-worker";
    setup.limit = std::chrono::milliseconds(5000);
  }
  util::TemporaryFolder folder = util::TemporaryFolder::create("kgen-test").value();
  ToolSetup setup;
};

TEST(RunTools, EachToolHasALogAndACountOfItsOwn) {
  const FakeTool tool("cat ../job.json >/dev/null && echo \"log of $tool\" >$log; printf 1 >done\n");
  const auto runs = run_tools(tool.setup, small_job());
  ASSERT_EQ(runs.size(), 4u);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].tool, kTools[i]);
    EXPECT_EQ(runs[i].log, "log of " + runs[i].tool + "\n");
    EXPECT_EQ(runs[i].cases_done, 1u);
    EXPECT_EQ(runs[i].cases, 1u);
    EXPECT_EQ(runs[i].why, "");
    EXPECT_EQ(runs[i].shapes, "rows=2,cols=3");
  }
}

TEST(RunTools, OfALongLogTheBeginningCounts) {
  const FakeTool tool(
      "echo '========= Invalid __global__ read of size 4 bytes' >$log\n"
      "head -c 3000000 /dev/zero | tr '\\0' x >>$log; printf 1 >done\n");
  for (const auto& run : run_tools(tool.setup, small_job())) {
    EXPECT_EQ(run.log.size(), std::size_t{1} << 20);
    EXPECT_TRUE(run.log.starts_with("========= Invalid __global__ read"));
  }
}

TEST(RunTools, AFailingToolSaysWhy) {
  const FakeTool tool("echo 'the device is not supported' >&2; exit 3\n");
  for (const auto& run : run_tools(tool.setup, small_job()))
    EXPECT_EQ(run.why, "it ended with exit code 3: the device is not supported");
  ToolSetup absent = tool.setup;
  absent.sanitizer = "/nowhere/compute-sanitizer";
  for (const auto& run : run_tools(absent, small_job())) EXPECT_FALSE(run.why.empty());
}

TEST(RunTools, AToolThatHangsIsEnded) {
  FakeTool tool("sleep 60\n");
  tool.setup.limit = tool.setup.patience = std::chrono::milliseconds(100);
  for (const auto& run : run_tools(tool.setup, small_job())) EXPECT_EQ(run.why, "no end after 0.1 s");
}

TEST(RunTools, AToolThatReachesNoEndRunsOnceMoreAlone) {
  FakeTool tool(
      "if [ $tool = racecheck ] && [ ! -e ../begun ]; then touch ../begun; sleep 60; fi\n"
      "echo \"log of $tool\" >$log; printf 1 >done\n");
  tool.setup.limit = std::chrono::milliseconds(500);
  for (const auto& run : run_tools(tool.setup, small_job())) {
    EXPECT_EQ(run.why, "") << run.tool;
    EXPECT_EQ(run.log, "log of " + run.tool + "\n");
    EXPECT_EQ(run.cases_done, 1u);
  }
}

TEST(RunTools, TheyRunOnceMoreForSoLongTogether) {
  FakeTool tool("sleep 60\n");
  tool.setup.limit = std::chrono::milliseconds(200);
  tool.setup.patience = std::chrono::milliseconds(600);
  int longer = 0;
  for (const auto& run : run_tools(tool.setup, small_job())) longer += run.why != "no end after 0.2 s";
  EXPECT_EQ(longer, 1);
}

TEST(RunTools, NoTwoToolsShareAPort) {
  ToolSetup setup;
  std::vector<std::string> ports;
  for (const char* tool : kTools) {
    const auto command = tool_command(setup, tool, "log");
    ports.push_back(*(std::find(command.begin(), command.end(), "--port") + 1));
    EXPECT_EQ(command.back(), "sanitize");
  }
  std::sort(ports.begin(), ports.end());
  EXPECT_EQ(std::unique(ports.begin(), ports.end()), ports.end());
}

}  // namespace
}  // namespace kgen::sanitize
