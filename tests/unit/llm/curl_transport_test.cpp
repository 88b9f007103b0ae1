#include "llm/curl_transport.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "support/misbehaving_server.hpp"
#include "support/scoped_variable.hpp"

namespace kgen::llm {
namespace {

using test::Connection;
using test::MisbehavingServer;

constexpr int kForeverMs = 20000;  ///< longer than any test waits: the client must end the transfer

struct Seen {
  HttpOutcome outcome;
  HttpHead head;
  std::string body;
  double seconds = 0;
};

struct PostOptions {
  std::string body = "{}";
  double idle_timeout_s = 5;
  double total_timeout_s = 10;
  std::size_t max_body_bytes = 1 << 20;
  std::function<bool()> cancelled = {};
};

Seen post(const std::string& url, const PostOptions& options = {}) {
  const auto transport = make_curl_transport({"", "", options.max_body_bytes});
  Seen seen;
  HttpSink sink;
  sink.head = [&](const HttpHead& head) { seen.head = head; };
  sink.data = [&](std::string_view bytes) {
    EXPECT_GT(seen.head.status, 0) << "the head comes before the body";
    seen.body += bytes;
    return seen.body.find("[DONE]") == std::string::npos;
  };
  sink.cancelled = options.cancelled;
  const auto start = std::chrono::steady_clock::now();
  seen.outcome = transport->post(
      {url, {{"X-Test", "yes"}}, options.body, 5, options.idle_timeout_s, options.total_timeout_s}, sink);
  seen.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return seen;
}

TEST(CurlTransport, PostsBodyAndHeadersAndGivesTheResponse) {
  MisbehavingServer server({test::answer(200, "X-Request-Id: r1\r\nX-Two:  b  \r\n", "hello")});
  PostOptions options;
  options.body = std::string(300000, 'x');
  const Seen seen = post(server.url() + "/v1/chat", options);
  EXPECT_EQ(seen.outcome.end, TransferEnd::done);
  EXPECT_EQ(seen.outcome.status, 200);
  EXPECT_TRUE(seen.outcome.sent);
  EXPECT_EQ(seen.head.headers.at("x-request-id"), "r1");
  EXPECT_EQ(seen.outcome.headers.at("x-two"), "b");
  EXPECT_EQ(seen.body, "hello");
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("POST /v1/chat HTTP/1.1\r\n"));
  EXPECT_NE(request.find("\r\nX-Test: yes\r\n"), std::string::npos);
  EXPECT_TRUE(request.ends_with("\r\n\r\n" + options.body));
}

TEST(CurlTransport, GivesErrorResponsesWhole) {
  MisbehavingServer server({test::answer(529, "Retry-After: 3\r\n", "busy")});
  const Seen seen = post(server.url());
  EXPECT_EQ(seen.outcome.end, TransferEnd::done);
  EXPECT_EQ(seen.outcome.status, 529);
  EXPECT_EQ(seen.outcome.headers.at("retry-after"), "3");
  EXPECT_EQ(seen.body, "busy");
}

TEST(CurlTransport, GivesTheHeadOfAResponseWithoutABody) {
  MisbehavingServer server({test::answer(204, "X-A: b\r\n", "")});
  EXPECT_EQ(post(server.url()).head.status, 204);
}

TEST(CurlTransport, TellsThatNobodyListens) {
  const Seen seen = post("http://127.0.0.1:" + std::to_string(test::closed_port()));
  EXPECT_EQ(seen.outcome.end, TransferEnd::connection_failed);
  EXPECT_EQ(seen.outcome.status, 0);
  EXPECT_FALSE(seen.outcome.sent);
  EXPECT_NE(seen.outcome.detail.find("127.0.0.1"), std::string::npos) << seen.outcome.detail;
}

TEST(CurlTransport, TellsThatTheServerHungUpBeforeAnswering) {
  MisbehavingServer server({[](Connection&) {}});
  const Seen seen = post(server.url());
  EXPECT_EQ(seen.outcome.end, TransferEnd::connection_failed);
  EXPECT_TRUE(seen.outcome.sent);
}

TEST(CurlTransport, TellsThatTheBodyWasCut) {
  const std::vector<MisbehavingServer::Scene> scenes = {
      [](Connection& connection) {
        connection.send_head(200, "Content-Length: 100\r\n");
        connection.send("part");
      },
      [](Connection& connection) {
        connection.send_head(200, "Transfer-Encoding: chunked\r\n");
        connection.send("4\r\npart\r\n");
      },
      [](Connection& connection) {
        connection.send_head(200, "Content-Length: 100\r\n");
        connection.send("part");
        connection.hold(50);  // lets the client read before the reset drops what is unread
        connection.reset();
      }};
  MisbehavingServer server(scenes);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const Seen seen = post(server.url());
    EXPECT_EQ(seen.outcome.end, TransferEnd::cut) << i;
    EXPECT_EQ(seen.outcome.status, 200);
    EXPECT_EQ(seen.body, "part") << i;
  }
}

TEST(CurlTransport, EndsASilentConnection) {
  const auto silent_after = [](std::string bytes) {
    return [bytes](Connection& connection) {
      connection.send(bytes);
      connection.hold(kForeverMs);
    };
  };
  MisbehavingServer server({silent_after(""), silent_after("HTTP/1.1 200 OK\r\n\r\ndata: 1")});
  PostOptions options;
  options.idle_timeout_s = 0.2;
  EXPECT_EQ(post(server.url(), options).outcome.end, TransferEnd::idle);
  const Seen begun = post(server.url(), options);
  EXPECT_EQ(begun.outcome.end, TransferEnd::idle);
  EXPECT_EQ(begun.outcome.status, 200);
  EXPECT_EQ(begun.body, "data: 1");
  EXPECT_LT(begun.seconds, 5);
}

TEST(CurlTransport, WaitsForASlowDripUpToTheTotalTimeOut) {
  const auto drip = [](int count) {
    return [count](Connection& connection) {
      connection.send_head(200, "");
      for (int i = 0; i < count && connection.send("."); ++i) connection.hold(30);
    };
  };
  MisbehavingServer server({drip(12), drip(1000)});
  PostOptions options;
  options.idle_timeout_s = 0.2;
  const Seen slow = post(server.url(), options);
  EXPECT_EQ(slow.outcome.end, TransferEnd::done);
  EXPECT_EQ(slow.body, std::string(12, '.'));
  EXPECT_GT(slow.seconds, options.idle_timeout_s);

  options.total_timeout_s = 0.2;
  options.idle_timeout_s = 5;
  EXPECT_EQ(post(server.url(), options).outcome.end, TransferEnd::too_slow);
}

TEST(CurlTransport, EndsWithinATenthOfASecondWhereCancelled) {
  MisbehavingServer server({[](Connection& connection) { connection.hold(kForeverMs); }});
  PostOptions options;
  std::chrono::steady_clock::time_point asked;
  int polls = 0;
  options.cancelled = [&] {
    if (++polls == 3) asked = std::chrono::steady_clock::now();
    return polls >= 3;
  };
  EXPECT_EQ(post(server.url(), options).outcome.end, TransferEnd::cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::milliseconds(100));
}

TEST(CurlTransport, StopsReadingABodyThatNeverEnds) {
  MisbehavingServer server({[](Connection& connection) {
    connection.send_head(200, "");
    const std::string block(64 << 10, 'x');
    while (connection.send(block)) {
    }
  }});
  PostOptions options;
  options.max_body_bytes = 1 << 20;
  const Seen seen = post(server.url(), options);
  EXPECT_EQ(seen.outcome.end, TransferEnd::too_big);
  EXPECT_LE(seen.body.size(), options.max_body_bytes);
}

TEST(CurlTransport, EndsWellWhereNoMoreIsNeeded) {
  MisbehavingServer server({[](Connection& connection) {
    connection.send_head(200, "");
    connection.send("data: [DONE]\n\n");
    connection.hold(kForeverMs);
  }});
  EXPECT_EQ(post(server.url()).outcome.end, TransferEnd::done);
}

TEST(CurlTransport, DoesNotFollowARedirect) {
  MisbehavingServer target({test::answer(200, "", "stolen")});
  MisbehavingServer server({test::answer(307, "Location: " + target.url() + "/\r\n", "")});
  EXPECT_EQ(post(server.url()).outcome.status, 307);
  EXPECT_TRUE(target.requests().empty());
}

TEST(CurlTransport, RefusesWhatIsNoHttp) {
  MisbehavingServer server({[](Connection& connection) { connection.send("220 smtp.example ESMTP\r\n"); }});
  EXPECT_EQ(post(server.url()).outcome.end, TransferEnd::connection_failed);
  EXPECT_EQ(post("file:///etc/hostname").outcome.end, TransferEnd::connection_failed);
}

TEST(CurlTransport, FailsWhereTheCertificatesCannotBeRead) {
  MisbehavingServer server({test::answer(200, "", "")});
  const auto transport = make_curl_transport({"/nowhere/ca.pem", "", 1000});
  const std::string https = "https" + server.url().substr(4);
  const HttpOutcome outcome = transport->post({https, {}, "", 5, 5, 5}, {});
  EXPECT_EQ(outcome.end, TransferEnd::connection_failed);
  EXPECT_NE(outcome.detail.find("/nowhere/ca.pem"), std::string::npos) << outcome.detail;
}

TEST(CurlTransport, GoesThroughTheProxyOfTheEnvironment) {
  MisbehavingServer proxy({test::answer(403, "", "no")});
  const test::ScopedVariable https_proxy("https_proxy", proxy.url());
  const test::ScopedVariable no_proxy("no_proxy", "127.0.0.1");
  const Seen seen = post("https://model.test/v1");
  EXPECT_EQ(seen.outcome.end, TransferEnd::connection_failed);
  EXPECT_EQ(seen.outcome.status, 0) << "a proxy's refusal is no answer of the server";
  EXPECT_TRUE(proxy.requests().at(0).starts_with("CONNECT model.test:443 HTTP/1.1\r\n"));
}

TEST(CurlTransport, GoesPastTheProxyWhereNoProxySaysSo) {
  MisbehavingServer proxy({test::answer(403, "", "no")});
  MisbehavingServer server({test::answer(200, "", "direct")});
  const test::ScopedVariable http_proxy("http_proxy", proxy.url());
  const test::ScopedVariable no_proxy("no_proxy", "127.0.0.1");
  EXPECT_EQ(post(server.url()).body, "direct");
  EXPECT_TRUE(proxy.requests().empty());
}

}  // namespace
}  // namespace kgen::llm
