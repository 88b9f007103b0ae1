#include "harness/run/frame.hpp"

#include <gtest/gtest.h>

namespace kgen::run {
namespace {

TEST(Frame, ComesBackFromPiecesOfAnySize) {
  const std::string cubin("\0\x7f\xff\n{", 5);
  const std::string bytes =
      encode_frame({"{\"a\":1}", cubin}) + encode_frame({"", ""}) + encode_frame({"[]", ""});
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{7}, bytes.size()}) {
    FrameReader reader(1000);
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(std::string_view(bytes).substr(at, piece));
      for (auto frame = reader.next(); frame && *frame; frame = reader.next())
        frames.push_back(std::move(**frame));
    }
    ASSERT_EQ(frames.size(), 3u) << piece;
    EXPECT_EQ(frames[0].json, "{\"a\":1}");
    EXPECT_EQ(frames[0].payload, cubin);
    EXPECT_EQ(frames[1].json, "");
    EXPECT_EQ(frames[2].json, "[]");
  }
}

TEST(Frame, RefusesALengthOverTheLimitBeforeItsBytesCome) {
  FrameReader reader(1000);
  reader.feed(encode_frame({std::string(1001, ' '), ""}).substr(0, 8));
  EXPECT_FALSE(reader.next());
  FrameReader largest(1000);
  largest.feed(std::string(8, '\xff'));
  EXPECT_FALSE(largest.next());
}

TEST(Frame, WaitsForTheRest) {
  FrameReader reader(1000);
  const std::string bytes = encode_frame({"{}", "abc"});
  reader.feed(bytes.substr(0, bytes.size() - 1));
  const auto frame = reader.next();
  ASSERT_TRUE(frame);
  EXPECT_FALSE(*frame);
}

}  // namespace
}  // namespace kgen::run
