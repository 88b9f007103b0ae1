#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "util/subprocess.hpp"

namespace kgen::util {
namespace {

using namespace std::chrono_literals;
using Status = LineChannel::ReadStatus;

/// A channel, and the raw other end of its socket.
class LineChannelTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto ends = socket_pair().value();
    channel_ = LineChannel(ends.first, ends.first);
    peer_.reset(ends.second);
  }
  void send_raw(std::string_view text) const { ASSERT_EQ(write_all(peer_.get(), text), 0); }
  std::string read_one() {
    std::string line;
    EXPECT_EQ(channel_.read_line(line, 5s), Status::line);
    return line;
  }

  LineChannel channel_;
  FileDescriptor peer_;
  std::string line_;
};

TEST_F(LineChannelTest, SeveralLinesInOneReadComeOneByOne) {
  send_raw("one\ntwo\n\nfour\n");
  EXPECT_EQ(read_one(), "one");
  EXPECT_TRUE(channel_.has_buffered_line());
  EXPECT_EQ(read_one(), "two");
  EXPECT_EQ(read_one(), "");
  EXPECT_EQ(read_one(), "four");
  EXPECT_FALSE(channel_.has_buffered_line());
  EXPECT_EQ(channel_.read_line(line_, 0ms), Status::timeout);
}

TEST_F(LineChannelTest, APartialLineWaitsForItsEnd) {
  send_raw("one\nhal");
  EXPECT_EQ(read_one(), "one");
  EXPECT_EQ(channel_.read_line(line_, 1ms), Status::timeout);
  EXPECT_FALSE(channel_.has_buffered_line());
  send_raw("f\n");
  EXPECT_EQ(read_one(), "half");
}

TEST_F(LineChannelTest, LinesBeforeTheEndAreReadAndATornOneIsDropped) {
  send_raw("one\ntor");
  peer_.reset();
  EXPECT_EQ(read_one(), "one");
  EXPECT_TRUE(channel_.is_open());
  EXPECT_EQ(channel_.read_line(line_, 5s), Status::closed);
  EXPECT_FALSE(channel_.is_open());
  EXPECT_EQ(channel_.read_line(line_, 5s), Status::closed);
}

TEST_F(LineChannelTest, HugeLinesPassWhole) {
  const std::string huge(10u << 20, 'x');
  std::thread writer([&] { send_raw(huge + "\nnext\n"); });
  EXPECT_EQ(read_one().size(), huge.size());
  EXPECT_EQ(read_one(), "next");
  writer.join();
}

TEST_F(LineChannelTest, ALineOverTheLimitIsReportedOnceAndSkipped) {
  const std::string block(1u << 20, 'x');
  std::thread writer([&] {
    for (std::size_t sent = 0; sent < LineChannel::max_line_bytes + block.size(); sent += block.size())
      send_raw(block);
    send_raw("end of it\nnext\n");
  });
  EXPECT_EQ(channel_.read_line(line_, 20s), Status::too_long);
  EXPECT_EQ(read_one(), "next");
  writer.join();
}

TEST_F(LineChannelTest, WritesOneLineWithItsNewline) {
  ASSERT_TRUE(channel_.write_line("hello"));
  char text[16] = {};
  ASSERT_EQ(::read(peer_.get(), text, sizeof text), 6);
  EXPECT_STREQ(text, "hello\n");
}

TEST_F(LineChannelTest, BigWritesReachASlowReader) {
  LineChannel reader(peer_.release(), -1);
  const std::string big(3u << 20, 'y');
  std::string received;
  std::thread thread([&] { EXPECT_EQ(reader.read_line(received, 20s), Status::line); });
  EXPECT_TRUE(channel_.write_line(big));
  thread.join();
  EXPECT_TRUE(received == big);
}

TEST_F(LineChannelTest, WritingToAClosedSocketIsAnErrorAndNoSignal) {
  peer_.reset();
  const auto status = channel_.write_line("hello");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::missing);
  EXPECT_THAT(status.error().message, testing::HasSubstr("gone"));
}

TEST_F(LineChannelTest, WritingToAClosedPipeIsAnErrorAndNoSignal) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  LineChannel pipe(-1, ends[1]);
  EXPECT_FALSE(pipe.write_line("hello"));
  EXPECT_FALSE(pipe.write_line("again"));
}

TEST_F(LineChannelTest, ANewlineInALineIsABug) {
  EXPECT_THROW((void)channel_.write_line("a\nb"), std::invalid_argument);
}

TEST_F(LineChannelTest, AMovedChannelKeepsWhatItHasRead) {
  send_raw("one\ntwo\n");
  EXPECT_EQ(read_one(), "one");
  LineChannel moved = std::move(channel_);
  EXPECT_EQ(moved.read_line(line_, 0ms), Status::line);
  EXPECT_EQ(line_, "two");
}

TEST(LineChannel, WithoutDescriptorsIsClosed) {
  LineChannel channel;
  std::string line;
  EXPECT_FALSE(channel.is_open());
  EXPECT_EQ(channel.read_line(line, 0ms), Status::closed);
  EXPECT_FALSE(channel.write_line("x"));
}

}  // namespace
}  // namespace kgen::util
