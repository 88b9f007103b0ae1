// Certificates and proxies: make_client against an https server whose certificate only $KGEN_TLS_CA vouches
// for, also through a forward proxy that wants a password. with_tls_server.sh starts both.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "llm/provider_config.hpp"
#include "support/scoped_variable.hpp"
#include "util/file.hpp"

namespace kgen::llm {
namespace {

/// Asks the server, in an environment with just `variable` naming its certificate.
Result<Reply> ask(const std::string& variable) {
  const char* url = std::getenv("KGEN_TLS_URL");
  const char* ca = std::getenv("KGEN_TLS_CA");
  if (url == nullptr || ca == nullptr) return fail(ErrorKind::bad_input, "run with_tls_server.sh");
  ProviderConfig config;
  config.base_url = std::string(url) + "/v1";
  config.model = "m";
  config.max_retries = 0;
  KGEN_TRY(const auto client, make_client(config, [&](const std::string& name) {
             return name == variable ? std::optional<std::string>(ca) : std::nullopt;
           }));
  return client->ask({});
}

TEST(Tls, TrustsTheCertificatesThatTheEnvironmentNames) {
  for (const char* variable : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"}) {
    const auto reply = ask(variable);
    ASSERT_TRUE(reply) << variable << ": " << reply.error().text();
    EXPECT_EQ(reply->text, "over TLS");
  }
}

TEST(Tls, RefusesACertificateThatNobodyVouchesFor) {
  const auto reply = ask("");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::provider);
  EXPECT_NE(reply.error().message.find("certificate"), std::string::npos) << reply.error().message;
}

class Proxy : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("KGEN_PROXY") == nullptr) {
      const char* why = std::getenv("KGEN_NO_PROXY_WHY");
      GTEST_SKIP() << (why != nullptr ? why : "run with_tls_server.sh");
    }
  }

  static std::string address(const std::string& password) {
    return "http://someone:" + password + "@" + std::getenv("KGEN_PROXY");
  }
  /// How often the proxy was asked for a path to the server.
  static std::ptrdiff_t tunnels() {
    const std::string log = util::read_file(std::getenv("KGEN_PROXY_LOG")).value();
    const std::string url = std::getenv("KGEN_TLS_URL");
    const std::string line = "tunnel " + url.substr(url.find("//") + 2) + "\n";
    std::ptrdiff_t count = 0;
    for (std::size_t at = log.find(line); at != std::string::npos; at = log.find(line, at + 1)) ++count;
    return count;
  }
};

TEST_F(Proxy, CarriesTheCallWithItsCertificatesChecked) {
  const test::ScopedVariable everywhere("no_proxy", "");
  const test::ScopedVariable proxy("HTTPS_PROXY", address("planted-password"));
  const std::ptrdiff_t before = tunnels();
  const auto reply = ask("SSL_CERT_FILE");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "over TLS");
  EXPECT_EQ(tunnels(), before + 1);
  const auto untrusted = ask("");
  ASSERT_FALSE(untrusted);
  EXPECT_NE(untrusted.error().message.find("certificate"), std::string::npos) << untrusted.error().message;
}

TEST_F(Proxy, IsPassedByWhereNoProxySaysSo) {
  const test::ScopedVariable but_here("no_proxy", "127.0.0.1");
  const test::ScopedVariable proxy("HTTPS_PROXY", address("planted-password"));
  const std::ptrdiff_t before = tunnels();
  ASSERT_TRUE(ask("SSL_CERT_FILE"));
  EXPECT_EQ(tunnels(), before);
}

TEST_F(Proxy, ThatRefusesIsNamedWithoutThePassword) {
  const test::ScopedVariable everywhere("no_proxy", "");
  const test::ScopedVariable proxy("HTTPS_PROXY", address("planted-wrong"));
  const auto reply = ask("SSL_CERT_FILE");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::provider);
  EXPECT_NE(reply.error().message.find("407"), std::string::npos) << reply.error().message;
  EXPECT_EQ(reply.error().text().find("planted"), std::string::npos) << reply.error().text();
}

}  // namespace
}  // namespace kgen::llm
