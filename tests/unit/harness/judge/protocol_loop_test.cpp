#include "harness/judge/protocol_loop.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "util/json.hpp"

namespace kgen::judge {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// A judge without compile processes, on a socket.
struct ProtocolLoopTest : testing::Test {
  ProtocolLoopTest() {
    const auto pair = util::socket_pair().value();
    ours = util::LineChannel(pair.first, pair.first);
    loop = std::thread(
        [fd = pair.second] { ProtocolLoop(util::LineChannel(fd, fd), "/nowhere/kgen-worker").run(); });
  }
  ~ProtocolLoopTest() override {
    ours = util::LineChannel();  // its stdin closes
    loop.join();
  }
  json ask(const std::string& line) {
    EXPECT_TRUE(ours.write_line(line));
    std::string answer;
    EXPECT_EQ(ours.read_line(answer, milliseconds{20000}), util::LineChannel::ReadStatus::line);
    return json::parse(answer, nullptr, false);
  }
  util::LineChannel ours;
  std::thread loop;
};

TEST_F(ProtocolLoopTest, AnswersGarbageWithErrors) {
  for (const char* line : {"", "hello", "[]", "{", "{\"id\":1}", "{\"id\":1,\"method\":7}", "null",
                           "\xff\xfe", "{\"id\":1,\"method\":\"hello\",\"params\":[]}",
                           "{\"id\":1,\"v\":9,\"method\":\"hello\"}", "{\"id\":1,\"method\":\"dance\"}",
                           "{\"id\":1,\"method\":\"evaluate\"}", "{\"id\":1,\"method\":\"profile\"}"}) {
    const json answer = ask(line);
    ASSERT_TRUE(answer.contains("error")) << line << " -> " << answer.dump();
    EXPECT_FALSE(answer["error"]["message"].get<std::string>().empty());
  }
}

TEST_F(ProtocolLoopTest, KeepsTheRequestsId) {
  EXPECT_EQ(ask(R"({"id": 41, "method": "dance"})")["id"], 41);
  EXPECT_EQ(ask(R"({"id": "a", "method": "dance"})")["id"], "a");
  EXPECT_TRUE(ask(R"({"id": {}, "method": "dance"})")["id"].is_null());
}

TEST_F(ProtocolLoopTest, DeepNestingIsAnErrorAndNoCrash) {
  const json answer = ask(std::string(100000, '['));
  EXPECT_TRUE(answer.contains("error"));
}

TEST_F(ProtocolLoopTest, RefusesUnknownDevices) {
  for (const char* device : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:99999999999"}) {
    const json answer = ask(json{{"id", 1}, {"method", "hello"}, {"params", {{"device", device}}}}.dump());
    EXPECT_EQ(answer["error"]["kind"], "bad_input") << answer.dump();
  }
  EXPECT_EQ(ask(R"({"id":1,"method":"hello","params":{"device":7}})")["error"]["kind"], "bad_input");
}

TEST_F(ProtocolLoopTest, EndsAtShutdown) {
  EXPECT_EQ(ask(R"({"id":1,"method":"shutdown"})")["result"], json::object());
  std::string line;
  EXPECT_EQ(ours.read_line(line, milliseconds{20000}), util::LineChannel::ReadStatus::closed);
}

}  // namespace
}  // namespace kgen::judge
