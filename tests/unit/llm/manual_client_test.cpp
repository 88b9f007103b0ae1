#include "llm/manual_client.hpp"

#include <gtest/gtest.h>

#include "util/file.hpp"

namespace kgen::llm {
namespace {

class ManualClientTest : public testing::Test {
 protected:
  Request request() const {
    Request request;
    request.prompt = {"rules", "task"};
    request.candidate_folder = folder_.path() / "candidates" / "0001";
    return request;
  }
  std::string written(const char* name) const {
    return util::read_file(request().candidate_folder / name).value();
  }
  void write(const char* name, std::string_view text) const {
    ASSERT_TRUE(util::write_file_atomic(request().candidate_folder / name, text));
  }

  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-manual").value();
  std::unique_ptr<Client> client_ = make_manual_client("a person");
};

TEST_F(ManualClientTest, WritesThePromptAndWaits) {
  const auto reply = client_->ask(request());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::waiting);
  EXPECT_NE(reply.error().message.find("0001/reply.md"), std::string::npos);
  EXPECT_EQ(written("prompt.md"), prompt_file_text(request().prompt));
}

TEST_F(ManualClientTest, TakesTheReplyOnceItIsThere) {
  ASSERT_FALSE(client_->ask(request()));
  write("reply.md", " \n");
  EXPECT_EQ(client_->ask(request()).error().kind, ErrorKind::waiting);
  write("reply.md", "the kernel\n");
  const Reply reply = client_->ask(request()).value();
  EXPECT_EQ(reply.text, "the kernel\n");
  EXPECT_EQ(reply.model, "a person");
  EXPECT_EQ(reply.prompt_matches, true);
  EXPECT_FALSE(reply.cost_usd);
}

TEST_F(ManualClientTest, LeavesAPromptThatSomebodyMayBeAnswering) {
  write("prompt.md", "an older prompt");
  write("reply.md", "the kernel");
  EXPECT_EQ(client_->ask(request()).value().prompt_matches, false);
  EXPECT_EQ(written("prompt.md"), "an older prompt");
}

}  // namespace
}  // namespace kgen::llm
