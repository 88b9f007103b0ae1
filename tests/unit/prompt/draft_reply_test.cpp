#include "prompt/draft_reply.hpp"

#include <gtest/gtest.h>

namespace kgen::prompt {
namespace {

const std::string kOp = "name = \"twice\"\n";
const std::string kReference = "/*kgen\n{\"launches\": []}\n*/\n__global__ void k() {}\n";

std::string block_of(const std::string& language, const std::string& text) {
  return "```" + language + "\n" + text + "```\n";
}

DraftFiles files_of(const std::string& reply) {
  const auto parsed = parse_draft_reply(reply);
  EXPECT_TRUE(parsed) << parsed.error().text();
  if (!parsed) return {};
  const auto* files = std::get_if<DraftFiles>(&*parsed);
  EXPECT_NE(files, nullptr) << reply;
  return files ? *files : DraftFiles{};
}

std::vector<std::string> questions_of(const std::string& reply) {
  const auto parsed = parse_draft_reply(reply);
  EXPECT_TRUE(parsed) << parsed.error().text();
  if (!parsed) return {};
  const auto* asks = std::get_if<DraftQuestions>(&*parsed);
  EXPECT_NE(asks, nullptr) << reply;
  return asks ? asks->questions : std::vector<std::string>{};
}

std::string kind_of(const std::string& reply) {
  const auto parsed = parse_draft_reply(reply);
  EXPECT_FALSE(parsed) << reply.substr(0, 200);
  return parsed ? "" : parsed.error().kind;
}

TEST(DraftReply, TakesTheTomlAndTheCudaBlockWhateverStandsBesideThem) {
  const std::string reply = "I chose f32.\n\n" + block_of("toml", kOp) + "\nand\n\n" +
                            block_of("cuda", kReference) + block_of("bash", "make\n") + block_of("", "x\n");
  EXPECT_EQ(files_of(reply).op_toml, kOp);
  EXPECT_EQ(files_of(reply).reference_cu, kReference);
  EXPECT_EQ(files_of(block_of("cpp", kReference) + block_of("TOML", kOp)).op_toml, kOp);
  EXPECT_EQ(files_of("\xef\xbb\xbf```toml\r\nname = 1\r\n\r\n```\r\n" + block_of("cu", kReference)).op_toml,
            "name = 1\n");
}

TEST(DraftReply, AStarBehindASlashInTomlOpensNoComment) {
  const std::string op = kOp + "# kernels/*.cu\n";
  EXPECT_EQ(files_of(block_of("toml", op) + block_of("cuda", kReference)).op_toml, op);
}

TEST(DraftReply, ReadsQuestionsALineEachWithoutTheirMarks) {
  const std::vector<std::string> expected = {"Divide by n or by n - 1?", "Which axis: first or last?",
                                             "-Inf in a masked row, or 0?", "Ties?"};
  EXPECT_EQ(questions_of("First:\n\n```questions\n1. Divide by n\n   or by n - 1?\n\n- Which axis: first or "
                         "last?\n-Inf in a masked row, or 0?\n  12) Ties?\n```\n"),
            expected);
}

TEST(DraftReply, QuestionsWinOverFilesThatWereGuessed) {
  const std::string reply =
      block_of("toml", kOp) + block_of("cuda", kReference) + block_of("questions", "Which axis?\n");
  EXPECT_EQ(questions_of(reply), std::vector<std::string>{"Which axis?"});
}

TEST(DraftReply, SaysWhatIsMissingOrTooMuch) {
  const std::string op = block_of("toml", kOp), reference = block_of("cuda", kReference);
  EXPECT_EQ(kind_of(""), "empty");
  EXPECT_EQ(kind_of("   \n"), "empty");
  EXPECT_EQ(kind_of("I cannot.\n"), "no_draft");
  EXPECT_EQ(kind_of(op), "no_draft");
  EXPECT_EQ(kind_of(reference), "no_draft");
  EXPECT_EQ(kind_of(block_of("toml", " \n") + reference), "no_draft");
  EXPECT_EQ(kind_of(op + op + reference), "several_blocks");
  EXPECT_EQ(kind_of(op + reference + reference), "several_blocks");
  EXPECT_EQ(kind_of(op + "```cuda\nint a;\n"), "cut_off");
  EXPECT_EQ(kind_of("```questions\nWhich axis?\n"), "cut_off");
  EXPECT_EQ(kind_of(block_of("toml", "a = \"\xff\"\n") + reference), "not_text");
  EXPECT_EQ(kind_of(block_of("toml", std::string("a\0b\n", 4)) + reference), "not_text");
  EXPECT_EQ(kind_of(block_of("toml", std::string(200'000, '#') + "\n") + reference), "too_long");
  EXPECT_EQ(kind_of(std::string(2'000'000, 'x')), "too_long");
}

TEST(DraftReply, QuestionsAreBounded) {
  std::string many;
  for (int i = 0; i < 11; ++i) many += "What?\n";
  EXPECT_EQ(kind_of(block_of("questions", many)), "bad_questions");
  EXPECT_EQ(kind_of(block_of("questions", std::string(1001, 'w') + "\n")), "bad_questions");
  EXPECT_EQ(kind_of(block_of("questions", "-\n1.\n")), "bad_questions");
  EXPECT_EQ(kind_of(block_of("questions", "\n")), "no_draft");
  EXPECT_EQ(kind_of(block_of("questions", "A?\n") + block_of("questions", "B?\n")), "several_blocks");
}

TEST(DraftReply, EveryProblemSaysWhatToSendInstead) {
  for (const std::string& reply : {std::string(), std::string("No."), block_of("toml", kOp)}) {
    const auto parsed = parse_draft_reply(reply);
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("```questions"), std::string::npos) << parsed.error().message;
    EXPECT_NE(parsed.error().message.find("```toml"), std::string::npos) << parsed.error().message;
  }
}

}  // namespace
}  // namespace kgen::prompt
