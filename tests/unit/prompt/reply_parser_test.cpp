#include "prompt/reply_parser.hpp"

#include <gtest/gtest.h>

namespace kgen::prompt {
namespace {

const std::string kFile = "/*kgen\n{\"launches\": []}\n*/\n__global__ void k() {}\n";

std::string fenced(const std::string& language, const std::string& text = kFile) {
  return "```" + language + "\n" + text + "```\n";
}

std::string source_of(const std::string& reply) {
  const auto parsed = parse_reply(reply);
  EXPECT_TRUE(parsed) << parsed.error().text();
  return parsed ? parsed->source : "";
}

ReplyProblem problem_of(const std::string& reply) {
  const auto parsed = parse_reply(reply);
  EXPECT_FALSE(parsed) << reply.substr(0, 200);
  return parsed ? ReplyProblem{} : parsed.error();
}

bool says(const ReplyProblem& problem, const std::string& part) {
  return problem.text().find(part) != std::string::npos;
}

TEST(ReplyParser, TakesTheOneBlockWhateverItsCudaLanguage) {
  for (const char* language :
       {"cuda", "cpp", "c++", "cu", "c", "CUDA", "", "cuda title=kernel.cu", "cpp {.numberLines}"})
    EXPECT_EQ(source_of("Here it is:\n\n" + fenced(language) + "\nIt is fast.\n"), kFile) << language;
  EXPECT_EQ(source_of("~~~cuda\n" + kFile + "~~~\n"), kFile);
  EXPECT_EQ(source_of("````cuda\n" + kFile + "````"), kFile);
}

TEST(ReplyParser, TakesABlockWithoutPlanWhereItIsTheOnlyOne) {
  EXPECT_EQ(source_of(fenced("cuda", "__global__ void k() {}\n")), "__global__ void k() {}\n");
  EXPECT_EQ(source_of(fenced("bash", "make\n") + fenced("cpp", "int a;\n")), "int a;\n");
}

TEST(ReplyParser, TakesTheBlockWithThePlanAmongSnippets) {
  EXPECT_EQ(
      source_of(fenced("cuda", "float4 v = p[i];\n") + "so:\n" + fenced("cuda") + fenced("bash", "nvcc\n")),
      kFile);
  EXPECT_EQ(source_of(fenced("json", "{}\n") + fenced("kernel")), kFile);
}

TEST(ReplyParser, RefusesTwoBlocksWithPlans) {
  const ReplyProblem problem = problem_of(fenced("cuda") + "or\n" + fenced("cpp"));
  EXPECT_EQ(problem.kind, "several_candidates");
  EXPECT_TRUE(says(problem, "2 code blocks with a launch plan (lines 1 and 8)")) << problem.text();
  EXPECT_TRUE(says(problem, "exactly one fenced code block"));
  EXPECT_TRUE(says(problem_of(fenced("cuda") + fenced("cuda") + fenced("cuda")), "(lines 1, 7 and 13)"));
}

TEST(ReplyParser, RefusesSeveralBlocksWithoutPlan) {
  const ReplyProblem problem = problem_of(fenced("cuda", "int a;\n") + fenced("", "int b;\n"));
  EXPECT_EQ(problem.kind, "several_blocks");
  EXPECT_TRUE(says(problem, "2 code blocks (lines 1 and 4), none of them with a launch plan"))
      << problem.text();
}

TEST(ReplyParser, TakesABareFile) {
  EXPECT_EQ(source_of(kFile), kFile);
  EXPECT_EQ(source_of("\n\n  " + kFile + "\n\n"), kFile);
  EXPECT_EQ(source_of("/* kgen {}*/ // ```cuda\n"), "/* kgen {}*/ // ```cuda\n");
}

TEST(ReplyParser, NormalisesLineEndsByteOrderMarkAndTheEnd) {
  EXPECT_EQ(source_of("\xef\xbb\xbf```cuda\r\n/*kgen {} */\r\nint a;\r\n\r\n```\r\n"),
            "/*kgen {} */\nint a;\n");
  EXPECT_EQ(source_of("\xef\xbb\xbf/*kgen {} */"), "/*kgen {} */\n");
}

TEST(ReplyParser, StripsTheIndentOfAFenceInAList) {
  EXPECT_EQ(source_of("1. the kernel\n\n   ```cuda\n   /*kgen {} */\n     int a;\n   ```\n"),
            "/*kgen {} */\n  int a;\n");
}

TEST(ReplyParser, FencesInsideCommentsDoNotEndTheBlock) {
  const std::string text =
      "/*kgen {} */\n/* as in\n```\nx\n```\n*/\n// ```\nint a = 1; // ``` /*\nconst char* s = \"/*\";\n";
  EXPECT_EQ(source_of("```cuda\n" + text + "```\n"), text);
  EXPECT_EQ(source_of("````cuda\n/*kgen {} */\n```\n````\n"), "/*kgen {} */\n```\n");
}

TEST(ReplyParser, APlanThatNeverEndsStaysInItsBlock) {
  EXPECT_EQ(source_of("```cuda\n/*kgen { \"launches\": [\n```\nThat is all.\n"),
            "/*kgen { \"launches\": [\n");
}

TEST(ReplyParser, RefusesABlockThatIsNeverClosed) {
  const ReplyProblem problem = problem_of("Now:\n```cuda\n" + kFile);
  EXPECT_EQ(problem.kind, "cut_off");
  EXPECT_TRUE(says(problem, "begins on line 2 of the reply is never closed")) << problem.text();
  EXPECT_EQ(problem_of("```cuda\nint a;\n~~~\n").kind, "cut_off");
  EXPECT_EQ(problem_of("```").kind, "cut_off");
}

TEST(ReplyParser, RefusesRepliesWithoutCode) {
  EXPECT_EQ(problem_of("").kind, "empty");
  EXPECT_EQ(problem_of(" \r\n\t").kind, "empty");
  EXPECT_EQ(problem_of("\xef\xbb\xbf").kind, "empty");
  EXPECT_EQ(problem_of("I cannot do that.").kind, "no_code");
  EXPECT_TRUE(says(problem_of("Use `kernel<<<1, 2>>>`."), "no fenced code block"));
  EXPECT_TRUE(says(problem_of("Here: /*kgen {} */ int a;"), "a launch plan among its prose"));
  EXPECT_TRUE(says(problem_of(fenced("python", "import torch\n")), "another language (python)"));
  EXPECT_TRUE(
      says(problem_of(fenced(std::string(600, '\xad'), "import torch\n")), "(a name that is no word)"));
  EXPECT_TRUE(says(problem_of(fenced("cuda", "\n  \n")), "the code block is empty"));
}

TEST(ReplyParser, AWordThatOnlyBeginsLikeThePlanIsNone) {
  EXPECT_EQ(problem_of("/*kgenerate*/ int a;").kind, "no_code");
  EXPECT_EQ(source_of(fenced("cuda", "// kgen\nint a;\n") + fenced("json", "{}\n")), "// kgen\nint a;\n");
}

TEST(ReplyParser, RefusesWhatIsNoText) {
  EXPECT_EQ(problem_of(fenced("cuda", "/*kgen {} */ \xff\n")).kind, "not_text");
  EXPECT_EQ(problem_of(fenced("cuda", std::string("/*kgen {} */ \0\n", 15))).kind, "not_text");
  EXPECT_EQ(source_of(fenced("cuda", "/*kgen {} */ // \xc2\xb5s\n")), "/*kgen {} */ // \xc2\xb5s\n");
}

TEST(ReplyParser, RefusesHugeReplies) {
  EXPECT_EQ(problem_of(std::string((1 << 20) + 1, 'a')).kind, "too_long");
}

TEST(ReplyParser, AnyReplyTakesLinearTime) {
  std::string many;
  while (many.size() < (1 << 20) - 20) many += "```\n/*\n```\n";
  EXPECT_TRUE(says(problem_of(many), "95324 code blocks (lines 1, 4, 7, "));
}

}  // namespace
}  // namespace kgen::prompt
