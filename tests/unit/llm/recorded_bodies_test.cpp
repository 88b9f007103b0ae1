// Every decoder over recorded bodies: tests/golden/llm/PROTOCOL/responses/NAME.body, and what it makes of
// them beside.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "llm/anthropic_codec.hpp"
#include "llm/openai_chat_decoder.hpp"
#include "llm/openai_codec.hpp"
#include "support/golden.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

const std::map<std::string, std::function<std::unique_ptr<ReplyDecoder>()>> kDecoders = {
    {"anthropic", make_anthropic_decoder},
    {"openai", make_openai_decoder},
    {"openai_chat", make_openai_chat_decoder}};

std::string shown(const Decoded& decoded) {
  ordered_json out = {
      {"text", decoded.text},         {"reasoning", decoded.reasoning}, {"stop", to_string(decoded.stop)},
      {"terminal", decoded.terminal}, {"model", decoded.model},         {"id", decoded.id},
      {"problem", decoded.problem}};
  if (!decoded.stop_detail.empty()) out["stop_detail"] = decoded.stop_detail;
  if (decoded.usage) {
    out["usage"] = {{"input_tokens", decoded.usage->input_tokens},
                    {"cached_input_tokens", decoded.usage->cached_input_tokens},
                    {"output_tokens", decoded.usage->output_tokens},
                    {"reasoning_tokens", decoded.usage->reasoning_tokens}};
    if (decoded.usage->cache_write_tokens > 0)
      out["usage"]["cache_write_tokens"] = decoded.usage->cache_write_tokens;
  }
  if (decoded.error) {
    out["error"] = {{"status", decoded.error->status},
                    {"code", decoded.error->code},
                    {"message", decoded.error->message}};
  }
  return out.dump(2) + "\n";
}

std::string decode(const std::string& protocol, std::string_view body, std::size_t step) {
  const std::unique_ptr<ReplyDecoder> decoder = kDecoders.at(protocol)();
  for (std::size_t at = 0; at < body.size(); at += step) {
    if (!decoder->feed(body.substr(at, step))) break;
  }
  return shown(decoder->finish());
}

class RecordedBody : public testing::TestWithParam<std::string> {};

TEST_P(RecordedBody, IsReadTheSameHoweverItIsSplit) {
  const fs::path name = GetParam();
  const std::string protocol = name.begin()->string();
  const fs::path path = "llm" / name;
  const std::string body = util::read_file(test::golden_path(path)).value();
  const std::string whole = decode(protocol, body, std::max<std::size_t>(body.size(), 1));
  EXPECT_EQ(test::compare_golden(fs::path(path).replace_extension(".json"), whole), "");
  for (const std::size_t step : {1u, 2u, 7u, 64u}) EXPECT_EQ(decode(protocol, body, step), whole) << step;
}

/// "anthropic/responses/plain.body", ...
std::set<std::string> recorded_bodies() {
  std::set<std::string> names;
  for (const auto& [protocol, make] : kDecoders) {
    const fs::path folder = fs::path(protocol) / "responses";
    for (const auto& entry : fs::directory_iterator(test::golden_path("llm" / folder))) {
      if (entry.path().extension() == ".body") names.insert((folder / entry.path().filename()).string());
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Decoders, RecordedBody, testing::ValuesIn(recorded_bodies()), [](const auto& body) {
  const fs::path path = body.param;
  return path.begin()->string() + "_" + path.stem().string();
});

TEST(Decoders, SayWhenNothingMoreIsNeeded) {
  const auto expect = [](const std::string& protocol, const char* part, const char* end) {
    const auto decoder = kDecoders.at(protocol)();
    EXPECT_TRUE(decoder->feed(part)) << protocol;
    EXPECT_EQ(decoder->output_bytes(), 4u) << protocol;
    EXPECT_FALSE(decoder->feed(end)) << protocol;
  };
  expect("openai_chat", "data: {\"choices\":[{\"delta\":{\"content\":\"abcd\"}}]}\n\n", "data: [DONE]\n\n");
  expect("anthropic",
         "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"abcd\"}}\n\n",
         "data: {\"type\":\"message_stop\"}\n\n");
  expect("openai", "data: {\"type\":\"response.output_text.delta\",\"delta\":\"abcd\"}\n\n",
         "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n");
}

}  // namespace
}  // namespace kgen::llm
