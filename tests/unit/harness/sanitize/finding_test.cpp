#include "harness/sanitize/finding.hpp"

#include <gtest/gtest.h>

#include "util/file.hpp"

namespace kgen::sanitize {
namespace {

using core::Check;
using core::Verdict;

constexpr const char* kSource = "/*kgen {} */\n\n  store(y);\n  s[i] = 1;\n  float v = x[i];\n";

const LaunchedKernels kPlain{{"softmax_rows"}, {}}, kAsync{{"softmax_rows"}, {"softmax_rows"}};

Finding judged(const std::string& tool, const std::string& log, const LaunchedKernels& kernels = kPlain,
               std::size_t done = 3) {
  ToolRun run;
  run.tool = tool;
  run.log = util::read_file(KGEN_SOURCE_DIR "/tests/golden/sanitizer/" + log + ".txt").value();
  run.cases = 3;
  run.cases_done = done;
  run.shapes = "rows=1,cols=1; rows=5,cols=7; rows=3,cols=64";
  return judge_run(run, kSource, kernels);
}

TEST(Finding, NamesVerdictAndKindOfEachDefect) {
  struct Row {
    const char* tool;
    const char* log;
    Verdict verdict;
    const char* kind;
  };
  const Row rows[] = {{"memcheck", "memcheck_out_of_bounds", Verdict::out_of_bounds, "over_read"},
                      {"memcheck", "memcheck_misaligned", Verdict::fault, "misaligned"},
                      {"memcheck", "memcheck_shared", Verdict::out_of_bounds, "shared_memory"},
                      {"initcheck", "initcheck", Verdict::uninitialised_read, "global_memory"},
                      {"racecheck", "racecheck", Verdict::race, "shared_memory"},
                      {"racecheck", "racecheck_hazard", Verdict::race, "shared_memory"},
                      {"synccheck", "synccheck", Verdict::bad_sync, "divergent_block"},
                      {"synccheck", "synccheck_header", Verdict::bad_sync, "barrier_arguments"}};
  for (const Row& row : rows) {
    const Finding finding = judged(row.tool, row.log);
    EXPECT_EQ(finding.state, Check::State::failed) << row.log;
    EXPECT_EQ(finding.verdict, row.verdict) << row.log;
    EXPECT_EQ(finding.kind, row.kind) << row.log;
  }
}

TEST(Finding, SaysTheLineAndItsText) {
  EXPECT_EQ(judged("memcheck", "memcheck_out_of_bounds").text,
            "Invalid __global__ read of size 4 bytes at line 5 (`float v = x[i];`), thread (31,0,0) in block "
            "(4,0,0), the "
            "address is out of bounds, is 1 bytes after the nearest allocation at 0x7f2b40000000 of size "
            "20,480 bytes (and 1 "
            "more)");
  EXPECT_EQ(judged("racecheck", "racecheck").text,
            "Race reported between Write access at line 4 (`s[i] = 1;`) and at line 5 (`float v = x[i];`)");
  EXPECT_NE(judged("synccheck", "synccheck_header").text.find("sm_30_intrinsics.hpp line 110 and at line 5"),
            std::string::npos)
      << judged("synccheck", "synccheck_header").text;
}

TEST(Finding, IsCleanOnlyWhereEveryShapeRanAndTheToolSawTheEnd) {
  EXPECT_EQ(judged("memcheck", "clean").state, Check::State::passed);
  EXPECT_EQ(judged("racecheck", "clean_race").state, Check::State::passed);
  EXPECT_EQ(judged("memcheck", "clean", kPlain, 2).state, Check::State::skipped);
  EXPECT_EQ(judged("memcheck", "lost_launch").state, Check::State::skipped);
  const Finding none = judged("memcheck", "unsupported", kPlain, 0);
  EXPECT_EQ(none.state, Check::State::skipped);
  EXPECT_EQ(none.text, "the tool says: No attachable process found. compute-sanitizer timed-out.");
}

TEST(Finding, AToolThatDidNotStartSaysWhy) {
  ToolRun run;
  run.tool = "memcheck";
  run.cases = 1;
  run.why = "it ended with exit code 1: ERROR: unknown option";
  const Finding finding = judge_run(run, kSource, kPlain);
  EXPECT_EQ(finding.state, Check::State::skipped);
  EXPECT_EQ(finding.text, run.why);
}

TEST(Finding, AsynchronousBarriersAreFlaggedWhereTheToolsReport) {
  for (const auto& [tool, log] : {std::pair{"racecheck", "racecheck"}, std::pair{"synccheck", "synccheck"}}) {
    const Finding finding = judged(tool, log, kAsync);
    EXPECT_EQ(finding.state, Check::State::skipped);
    EXPECT_TRUE(finding.unchecked);
  }
  EXPECT_EQ(judged("memcheck", "memcheck_shared", kAsync).state, Check::State::failed);
  EXPECT_EQ(judged("racecheck", "clean_race", kAsync).state, Check::State::passed);
  EXPECT_FALSE(judged("racecheck", "clean_race", kAsync).unchecked);
}

TEST(Finding, AnotherKernelsAsynchronousBarriersExcuseNothing) {
  const LaunchedKernels other{{"softmax_rows", "load"}, {"load"}};
  for (const char* tool : {"racecheck", "synccheck"}) {
    const Finding finding = judged(tool, tool, other);
    EXPECT_EQ(finding.state, Check::State::failed) << tool;
    EXPECT_FALSE(finding.unchecked) << tool;
  }
  const LaunchedKernels unknown{{"store", "load"}, {"load"}};
  EXPECT_TRUE(judged("racecheck", "racecheck", unknown).unchecked);
}

}  // namespace
}  // namespace kgen::sanitize
