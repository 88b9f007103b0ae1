#include "llm/exec_client.hpp"

#include <gtest/gtest.h>

namespace kgen::llm {
namespace {

Result<Reply> run(std::string command, Request request = {}, double limit_s = 10) {
  return make_exec_client({std::move(command), "my-model", limit_s, {"planted-key"}}).value()->ask(request);
}

TEST(ExecClient, GivesThePromptOnStdinAndReadsTheReply) {
  Request request;
  request.prompt = {"rules", "task"};
  request.candidate = 7;
  const Reply reply = run("cat; printf ' %s %s' \"$KGEN_CANDIDATE\" \"$KGEN_MODEL\"", request).value();
  EXPECT_EQ(reply.text, prompt_file_text(request.prompt) + " 7 my-model");
  EXPECT_EQ(reply.stop, StopReason::end_turn);
  EXPECT_EQ(reply.model, "my-model");
  EXPECT_FALSE(reply.usage_complete);
  EXPECT_FALSE(reply.cost_usd);
}

TEST(ExecClient, ShowsTheLastLinesOfStderrWhereItFails) {
  const auto reply = run("for i in 1 2 3 4 5 6 7; do echo line$i planted-key >&2; done; exit 3");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::provider);
  EXPECT_NE(reply.error().message.find("exit code 3"), std::string::npos);
  EXPECT_NE(reply.error().message.find("line3 [redacted]\nline4"), std::string::npos)
      << reply.error().message;
  EXPECT_NE(reply.error().message.find("line7"), std::string::npos);
  EXPECT_EQ(reply.error().message.find("line2"), std::string::npos);
  EXPECT_EQ(reply.error().text().find("planted"), std::string::npos);
}

TEST(ExecClient, SaysThatACommandIsNotThere) {
  const auto reply = run("kgen-no-such-command");
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().hint.find("PATH"), std::string::npos);
}

TEST(ExecClient, EndsACommandAtItsLimit) {
  const auto reply = run("sleep 60", {}, 0.1);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::provider);
  EXPECT_NE(reply.error().message.find("limit"), std::string::npos);
}

TEST(ExecClient, EndsACommandThatIsCancelled) {
  Request request;
  request.cancelled = [] { return true; };
  const auto reply = run("sleep 60", request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::interrupted);
}

TEST(ExecClient, GivesAnEmptyReplyAsItIs) {
  EXPECT_EQ(run("true").value().text, "");
}

}  // namespace
}  // namespace kgen::llm
