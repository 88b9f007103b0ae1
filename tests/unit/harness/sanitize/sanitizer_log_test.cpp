#include "harness/sanitize/sanitizer_log.hpp"

#include <gtest/gtest.h>

#include "util/file.hpp"

namespace kgen::sanitize {
namespace {

ToolLog parsed(const std::string& name) {
  return parse_log(util::read_file(KGEN_SOURCE_DIR "/tests/golden/sanitizer/" + name + ".txt").value());
}

TEST(SanitizerLog, ReadsAnAccessOutOfBounds) {
  const ToolLog log = parsed("memcheck_out_of_bounds");
  ASSERT_EQ(log.reports.size(), 2u);
  const Report& first = log.reports[0];
  EXPECT_EQ(first.heading, "Invalid __global__ read of size 4 bytes");
  ASSERT_EQ(first.places.size(), 1u);
  EXPECT_EQ(first.places[0].kernel, "softmax_rows(const float *, float *, long long)");
  EXPECT_EQ(first.places[0].file, "kernel.cu");
  EXPECT_EQ(first.places[0].line, 5);
  EXPECT_EQ(first.thread, "thread (31,0,0) in block (4,0,0)");
  EXPECT_EQ(
      first.address,
      "is out of bounds, is 1 bytes after the nearest allocation at 0x7f2b40000000 of size 20,480 bytes");
  EXPECT_TRUE(log.finished);
  EXPECT_EQ(log.errors, 2);
  EXPECT_EQ(log.troubles.size(), 2u);
}

TEST(SanitizerLog, ReadsDeviceFramesInnermostFirst) {
  const ToolLog log = parsed("memcheck_misaligned");
  ASSERT_EQ(log.reports.at(0).places.size(), 2u);
  EXPECT_EQ(log.reports[0].places[0].line, 3);
  EXPECT_EQ(log.reports[0].places[1].line, 5);
}

TEST(SanitizerLog, ReadsBothSidesOfARace) {
  const ToolLog log = parsed("racecheck");
  ASSERT_EQ(log.reports.size(), 1u);
  EXPECT_EQ(log.reports[0].severity, "error");
  EXPECT_EQ(log.reports[0].heading, "Race reported between Write access");
  ASSERT_EQ(log.reports[0].places.size(), 3u);
  EXPECT_EQ(log.reports[0].places[0].line, 4);
  EXPECT_EQ(log.reports[0].places[2].line, 5);
  EXPECT_EQ(log.errors, 1);
  const ToolLog hazard = parsed("racecheck_hazard");
  ASSERT_EQ(hazard.reports.size(), 1u);
  EXPECT_EQ(hazard.reports[0].severity, "warning");
  EXPECT_EQ(hazard.reports[0].places.size(), 2u);
  EXPECT_EQ(hazard.errors, 1) << "warnings count";
}

TEST(SanitizerLog, ASummaryOfWhatWasNotPrintedIsNoSecondSummary) {
  EXPECT_EQ(parsed("initcheck").errors, 257);
}

TEST(SanitizerLog, TellsATroubleOfTheToolFromAFinding) {
  EXPECT_EQ(parsed("lost_launch").reports.size(), 0u);
  EXPECT_EQ(parsed("lost_launch").troubles.size(), 1u);
  EXPECT_FALSE(parsed("unsupported").finished);
  EXPECT_EQ(parsed("unsupported").troubles.at(0),
            "No attachable process found. compute-sanitizer timed-out.");
}

// A kernel's printf goes to the program's output, never to the log file; should it get there, it cannot forge
// a line.
TEST(SanitizerLog, LinesOfTheProgramAreNoLinesOfTheTool) {
  const ToolLog log = parse_log("ERROR SUMMARY: 0 errors\n== ERROR SUMMARY: 0 errors\n");
  EXPECT_FALSE(log.finished);
}

TEST(SanitizerLog, ReadsPlacesOfOlderVersions) {
  const Place old = parse_place("0x160 in /src/memcheck_demo.cu:6:unaligned_kernel(void)");
  EXPECT_EQ(old.kernel, "unaligned_kernel(void)");
  EXPECT_EQ(old.file, "memcheck_demo.cu");
  EXPECT_EQ(old.line, 6);
  EXPECT_EQ(parse_place("0x1b8 in a::kernel(float *, float *)").kernel, "a::kernel(float *, float *)");
  EXPECT_EQ(parse_place("kernel(int *)+0x1b8").kernel, "kernel(int *)");
  EXPECT_EQ(parse_place("kernel(int *)+0x1b8").line, 0);
}

TEST(SanitizerLog, AnyTextIsReadWithoutHarm) {
  for (const char* text :
       {"", "=========", "========= at ", "=========     and Read access at", "========= Error:",
        "========= X SUMMARY:", "========= Race reported between Write access at ", "=========     at in :"})
    EXPECT_LE(parse_log(text).reports.size(), 1u) << text;
}

}  // namespace
}  // namespace kgen::sanitize
