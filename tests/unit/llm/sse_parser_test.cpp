#include "llm/sse_parser.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kgen::llm {
namespace {

std::vector<std::string> events_of(std::string_view bytes, std::size_t step) {
  std::vector<std::string> seen;
  SseParser parser([&](const SseEvent& event) {
    seen.push_back(event.name + "|" + event.data + (event.complete ? "" : "|incomplete"));
  });
  for (std::size_t at = 0; at < bytes.size(); at += step) parser.feed(bytes.substr(at, step));
  parser.finish();
  return seen;
}

using Seen = std::vector<std::string>;

TEST(SseParser, GivesTheSameEventsHoweverTheBytesAreSplit) {
  const std::string stream =
      "\xEF\xBB\xBF: a comment\r\n\r\nevent: a\r\ndata: 1\r\ndata: 2\r\n\r\n"
      "data:no space\rid: 7\rretry: 5\r\rdata: last\n\n";
  const Seen expected = {"a|1\n2", "|no space", "|last"};
  for (std::size_t step = 1; step <= stream.size(); ++step)
    EXPECT_EQ(events_of(stream, step), expected) << step;
}

TEST(SseParser, SkipsEventsWithoutData) {
  EXPECT_EQ(events_of("event: ping\n\n: OPENROUTER\n\n", 5), Seen{});
}

TEST(SseParser, TakesABareErrorFieldForAnErrorEvent) {
  EXPECT_EQ(events_of("error: {\"code\":500}\n\n", 100), Seen{"error|{\"code\":500}"});
}

TEST(SseParser, MarksAnEventThatTheStreamsEndCutOff) {
  EXPECT_EQ(events_of("data: {\"a\":1}\n\ndata: {\"b", 100), (Seen{"|{\"a\":1}", "|{\"b|incomplete"}));
}

TEST(SseParser, StopsAtAnEventThatIsTooLarge) {
  int events = 0;
  SseParser parser([&](const SseEvent&) { ++events; }, 64);
  for (int i = 0; i < 100; ++i) parser.feed("data: 0123456789\n");
  parser.feed("\n\ndata: 1\n\n");
  parser.finish();
  EXPECT_TRUE(parser.overflowed());
  EXPECT_EQ(events, 0);
}

}  // namespace
}  // namespace kgen::llm
