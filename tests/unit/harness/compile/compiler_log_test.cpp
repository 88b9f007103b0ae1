#include "harness/compile/compiler_log.hpp"

#include <gmock/gmock.h>

namespace kgen::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CompilerLog parsed(std::string_view log) {
  return parse_compiler_log(
      log, [](const std::string& file) { return file == "kernel.cu" || file.starts_with("/inc/"); },
      [](const std::string& file) { return file.starts_with("/inc/") ? "<" + file.substr(5) + ">" : file; });
}

TEST(CompilerLog, MessagesHaveTheirPlaceAndSeverity) {
  const CompilerLog log = parsed(
      "kernel.cu(12): error: identifier \"x\" is undefined\n    x = 1;\n    ^\n\n"
      "kernel.cu(3): warning #177-D: variable \"y\" was declared but never referenced\n"
      "kernel.cu(1): catastrophic error: cannot open source file \"foo.h\"\n");
  ASSERT_EQ(log.messages.size(), 3u);
  EXPECT_EQ(log.messages[0].line, 12);
  EXPECT_EQ(log.messages[0].candidate_line, 12);
  EXPECT_EQ(log.messages[0].severity, "error");
  EXPECT_EQ(log.messages[0].message, "identifier \"x\" is undefined");
  EXPECT_EQ(log.messages[1].severity, "warning");
  EXPECT_EQ(log.messages[2].severity, "error");
}

TEST(CompilerLog, HeaderMessagesKnowTheCandidatesLine) {
  const CompilerLog log = parsed(
      "/inc/cub/block.cuh(88): error: static assertion failed\n"
      "          detected during:\n            instantiation of \"f\" at line 40 of /inc/cub/x.cuh\n"
      "            instantiation of \"g\" at line 7 of kernel.cu\n");
  ASSERT_EQ(log.messages.size(), 1u);
  EXPECT_EQ(log.messages[0].line, 88);
  EXPECT_EQ(log.messages[0].candidate_line, 7);
  EXPECT_THAT(log.text, HasSubstr("<cub/block.cuh>(88)"));
}

TEST(CompilerLog, NothingOfAnotherFileIsShown) {
  const CompilerLog log = parsed(
      "/etc/hostname(1): error: identifier \"secret\" is undefined\n  secret\n  ^\n\n"
      "kernel.cu(2): error: expected a \";\"\n  int x\n");
  EXPECT_THAT(log.text, Not(HasSubstr("secret")));
  ASSERT_EQ(log.messages.size(), 2u);
  EXPECT_THAT(log.messages[0].message, Not(HasSubstr("secret")));
  EXPECT_THAT(log.messages[0].text, Not(HasSubstr("secret")));
  EXPECT_EQ(log.messages[1].line, 2);
}

TEST(CompilerLog, ResourcesAreReadByFunction) {
  const CompilerLog log = parsed(
      "ptxas info    : 2 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90a'\n"
      "ptxas info    : Function properties for _Z1kPf\n"
      "ptxas         .     48 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 2 barriers, 48 bytes cumulative stack size, 16384 bytes "
      "smem, 400 bytes cmem[0], 8 bytes cmem[2]\n");
  const PtxasFacts& facts = log.functions.at("_Z1kPf");
  EXPECT_EQ(facts.registers, 168);
  EXPECT_EQ(facts.stack_bytes, 48);
  EXPECT_EQ(facts.spill_store_bytes, 12);
  EXPECT_EQ(facts.spill_load_bytes, 16);
  EXPECT_EQ(facts.static_shared_bytes, 16384);
  EXPECT_EQ(facts.constant_bytes, 408);
  EXPECT_EQ(facts.barriers, 2);
  EXPECT_EQ(log.text, "");
}

TEST(CompilerLog, WarningsThatCostSpeedAreKept) {
  const CompilerLog log = parsed(
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due "
      "to x in "
      "function 'k'\n");
  EXPECT_THAT(log.performance_warnings, ElementsAre(HasSubstr("C7510")));
}

TEST(CompilerLog, PtxasErrorsKnowTheLineOfThePtx) {
  const CompilerLog log = parsed(
      "ptxas application ptx input, line 21; fatal   : Parsing error near '.include': syntax error\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n");
  ASSERT_EQ(log.messages.size(), 2u);
  EXPECT_EQ(log.messages[0].ptx_line, 21);
  EXPECT_EQ(log.messages[0].severity, "error");
  EXPECT_THAT(log.messages[0].message, HasSubstr("Parsing error near"));
}

TEST(CompilerLog, ALongLogIsCutAtALine) {
  const std::string log(100, 'a');
  const std::string cut = bounded_log("first\n" + log, 50);
  EXPECT_EQ(cut, "first\n... (100 more bytes)\n");
}

}  // namespace
}  // namespace kgen::compile
