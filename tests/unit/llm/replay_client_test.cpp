#include "llm/replay_client.hpp"

#include <gtest/gtest.h>

#include "llm/transcript.hpp"
#include "util/file.hpp"

namespace kgen::llm {
namespace {

class ReplayClientTest : public testing::Test {
 protected:
  void SetUp() override {
    Transcript transcript;
    transcript.folder = folder_.path();
    transcript.op = "softmax";
    transcript.dims = {{"rows", 8192}, {"cols", 4096}};
    transcript.dtype = "bf16";
    transcript.model = "some-model";
    transcript.device = "NVIDIA H200";
    transcript.date = "2026-11-21";
    transcript.prompt_hashes = {prompt_hash({"rules", "first"}), ""};
    ASSERT_TRUE(write_transcript(transcript));
    ASSERT_TRUE(util::write_file_atomic(transcript_reply_path(folder_.path(), 1), "reply one"));
    ASSERT_TRUE(util::write_file_atomic(transcript_reply_path(folder_.path(), 2), "reply two"));
  }
  Result<Reply> ask(int candidate, std::string user) const {
    Request request;
    request.prompt = {"rules", std::move(user)};
    request.candidate = candidate;
    return make_replay_client(folder_.path()).value()->ask(request);
  }

  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-replay").value();
};

TEST_F(ReplayClientTest, AnswersByCandidateNumberWhateverThePrompt) {
  EXPECT_EQ(ask(2, "anything").value().text, "reply two");
  EXPECT_EQ(ask(1, "anything").value().text, "reply one");
}

TEST_F(ReplayClientTest, SaysWhetherThePromptIsTheRecordedOne) {
  EXPECT_EQ(ask(1, "first").value().prompt_matches, true);
  EXPECT_EQ(ask(1, "changed").value().prompt_matches, false);
  EXPECT_FALSE(ask(2, "first").value().prompt_matches);
}

TEST_F(ReplayClientTest, NamesTheRecordedModelAndCostsNothing) {
  const Reply reply = ask(1, "first").value();
  EXPECT_EQ(reply.model, "some-model");
  EXPECT_EQ(reply.cost_usd, 0);
  EXPECT_EQ(reply.usage.output_tokens, 0);
}

TEST_F(ReplayClientTest, SaysWhenTheTranscriptIsOver) {
  for (const int candidate : {3, 0, -1}) {
    const auto reply = ask(candidate, "first");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, ErrorKind::provider);
    EXPECT_NE(reply.error().message.find("has 2 replies"), std::string::npos);
  }
}

TEST_F(ReplayClientTest, ReadsBackWhatWasWritten) {
  const Transcript transcript = read_transcript(folder_.path()).value();
  EXPECT_EQ(transcript.op, "softmax");
  EXPECT_EQ(transcript.dims.at("cols"), 4096);
  EXPECT_EQ(transcript.dtype, "bf16");
  EXPECT_EQ(transcript.device, "NVIDIA H200");
  EXPECT_EQ(transcript.date, "2026-11-21");
}

TEST_F(ReplayClientTest, NamesTheFileThatIsWrong) {
  for (const char* text : {"", "[]", "{\"schema\":2,\"replies\":[]}", "{\"schema\":1}",
                           "{\"schema\":1,\"replies\":[],\"dims\":{\"rows\":\"8\"}}"}) {
    ASSERT_TRUE(util::write_file_atomic(folder_.path() / "transcript.json", text));
    const auto client = make_replay_client(folder_.path());
    ASSERT_FALSE(client) << text;
    EXPECT_EQ(client.error().kind, ErrorKind::bad_input);
    EXPECT_NE(client.error().message.find("transcript.json"), std::string::npos);
  }
  EXPECT_FALSE(make_replay_client(folder_.path() / "nowhere"));
}

}  // namespace
}  // namespace kgen::llm
