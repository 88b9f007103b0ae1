// A whole run made with planted secrets: none of them, no header that would carry one, and no path of the
// home folder is in any file that kgen writes, or in what it prints of other machines' words.
#include "cli/kgen_program.hpp"
#include "support/misbehaving_server.hpp"

namespace kgen::test {
namespace {

constexpr const char* kKeys[] = {"planted-openai-0123456789", "planted-anthropic-0123456789",
                                 "planted-own-0123456789", "planted-password",
                                 "c29tZW9uZTpwbGFudGVkLXBhc3N3b3Jk"};  // someone:planted-password in base64

class Secrets : public KgenProgram {
 protected:
  Secrets() {
    std::filesystem::create_directories(home());
    environment_["HOME"] = home().string();
    environment_["OPENAI_API_KEY"] = kKeys[0];
    environment_["ANTHROPIC_API_KEY"] = kKeys[1];
    environment_["MY_KEY"] = kKeys[2];
    environment_["no_proxy"] = "127.0.0.1";
  }
  std::filesystem::path home() const { return path("home-of-someone"); }

  /// Every file below the folder of the test but what the test itself wrote: the home folder and what lies
  /// beside it.
  std::map<std::string, std::string> written() const {
    std::map<std::string, std::string> files;
    for (const char* folder : {"runs", "written"}) {
      if (!std::filesystem::exists(path(folder))) continue;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path(folder)))
        if (entry.is_regular_file()) files[entry.path().string()] = read(entry.path());
    }
    return files;
  }
  /// Runs kgen, which must not say a secret either.
  util::CommandOutput clean_kgen(const std::vector<std::string>& words, int code) {
    auto output = kgen(words);
    EXPECT_EQ(output.status.code, code) << words[0] << "\n" << output.err;
    expect_clean(output.out + output.err, words[0]);
    return output;
  }
  void expect_clean(const std::string& text, const std::string& where) const {
    for (const char* key : kKeys) EXPECT_FALSE(contains(text, key)) << where << "\n" << text;
    for (const std::string header : {"Authorization: ", "x-api-key: "}) {  // where a server repeats it
      for (std::size_t at = text.find(header); at != std::string::npos; at = text.find(header, at + 1))
        EXPECT_EQ(text.substr(at + header.size(), 10), "[redacted]") << where << "\n" << text;
    }
  }
  void expect_nothing_written(std::size_t least = 4) const {
    const auto files = written();
    EXPECT_GE(files.size(), least);
    for (const auto& [name, text] : files) {
      expect_clean(text, name);
      EXPECT_FALSE(contains(text, "home-of-someone")) << name << "\n" << text;
    }
  }
  /// A worker whose script lies in the home folder, and which tells of a path there.
  std::vector<std::string> worker_at_home() const {
    const auto evaluation =
        verdict_script("compile_error", "cannot open " + (home() / "cuda/include/x.h").string());
    return with_worker(hello_script() + baseline_script() + evaluation, "home-of-someone/worker.script");
  }
};

/// What a server says that repeats all that it was sent, as an error or as a reply.
MisbehavingServer::Scene echo(int status, const std::string& before, const std::string& after) {
  return [=](Connection& connection) {
    const std::string request = connection.request().substr(0, connection.request().find("\r\n\r\n"));
    std::string line;
    for (const char c : request)
      line += c == '\r' ? "" : c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
    connection.send_head(status, "Content-Type: text/event-stream\r\nretry-after-ms: 1\r\n");
    connection.send(before + line + after);
  };
}

TEST_F(Secrets, ARunKeepsNoneOfThem) {
  const std::string reply =
      "data: {\"choices\":[{\"delta\":{\"content\":\"no kernel\"},\"finish_reason\":\"stop\"}]}\n\n";
  MisbehavingServer server({echo(500, "{\"error\":{\"message\":\"", "\"}}"),
                            echo(200, "data: {\"error\":{\"message\":\"", "\",\"code\":503}}\n\n"),
                            answer(200, "Content-Type: text/event-stream\r\n", reply),
                            echo(401, "{\"error\":{\"message\":\"", "\"}}")});
  const auto output =
      kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", "openai-chat", "--model",
                                    "m", "--api-key-env", "MY_KEY", "--base-url", server.url() + "/v1"} +
           worker_at_home());
  EXPECT_EQ(output.status.code, 4) << output.err;
  EXPECT_TRUE(contains(output.err, "401")) << output.err;
  expect_clean(output.out + output.err, "stdout and stderr");
  expect_nothing_written();
  EXPECT_TRUE(contains(read(only_run() / "events.jsonl"), "[redacted]"));
  const auto resumed =
      kgen({"resume", only_run().string()});  // the worker's path in the home folder is found again
  EXPECT_EQ(resumed.status.code, 4) << resumed.err;
  expect_clean(resumed.out + resumed.err, "stdout and stderr");
  EXPECT_EQ(kgen({"report", only_run().string()}).status.code, 0);  // report.html is looked at too
  expect_clean(kgen({"report", only_run().string(), "--markdown"}).out, "Markdown");
  expect_nothing_written();
}

/// A stream with a whole reply, from a server that puts the key into its own headers too.
MisbehavingServer::Scene kernel_from(const std::string& home) {
  const std::string said = "My key is planted-own-0123456789, I read " + home + "/notes.\n" + some_reply(1);
  const nlohmann::json event = {{"choices", {{{"delta", {{"content", said}}}, {"finish_reason", "stop"}}}},
                                {"model", "planted-own-0123456789"}};
  return answer(200, "Content-Type: text/event-stream\r\nx-request-id: planted-own-0123456789\r\n",
                "data: " + event.dump() + "\n\ndata: [DONE]\n\n");
}

TEST_F(Secrets, ARunThatEndsWellKeepsNoneOfThemWhateverIsMadeOfIt) {
  MisbehavingServer server({kernel_from("~")});
  environment_["OPENAI_BASE_URL"] =
      "http://someone:planted-password@" + server.url().substr(7) + "/v1?api_key=planted-own-0123456789";
  write("kgen.toml", "provider = 'openai-chat'\nmodel = 'm'\napi_key_env = 'MY_KEY'\n");
  const std::string there = (home() / "cuda/include/x.h").string();
  nlohmann::json evaluation =
      nlohmann::json::parse(correct_script().substr(correct_script().rfind("result ") + 7));
  evaluation["kernel_output"] = "reading " + there;
  evaluation["message"] = "correct, with " + there;
  const auto judge =
      with_worker(hello_script() + baseline_script() + "evaluate result " + evaluation.dump() + "\n",
                  "home-of-someone/worker.script");
  clean_kgen(
      std::vector<std::string>{"generate", "--op", "softmax", "--json", "written/generate.json"} + judge, 0);
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(contains(request, "Bearer planted-own-0123456789")) << "the key did not travel: " << request;
  const std::string run = only_run().string();
  clean_kgen({"review", run, "--accept", "-m", "as in " + (home() / "notes").string()}, 0);
  clean_kgen({"report", run}, 0);
  clean_kgen({"report", run, "--markdown", "-o", "written/body.md"}, 0);
  clean_kgen({"show", run, "--candidate", "1", "--why", "--json", "written/show.json"}, 0);
  clean_kgen({"show", run, "--save-transcript", "written/transcript", "--model", "m"}, 0);
  clean_kgen({"doctor", "--json", "written/doctor.json"}, 0);
  clean_kgen({"resume", run, "--candidates", "2", "--target", "9x"}, 3);
  clean_kgen({"report", run}, 0);
  expect_nothing_written(14);
}

TEST_F(Secrets, APasswordOfAProxyIsKeptNowhere) {
  MisbehavingServer proxy({echo(407, "{\"error\":{\"message\":\"", "\"}}")});
  environment_.erase("no_proxy");
  environment_["http_proxy"] = "http://someone:planted-password@" + proxy.url().substr(7);
  const auto words = std::vector<std::string>{"generate",
                                              "--op",
                                              "softmax",
                                              "--provider",
                                              "openai-chat",
                                              "--model",
                                              "m",
                                              "--api-key-env",
                                              "MY_KEY",
                                              "--base-url",
                                              "http://models.invalid/v1"} +
                     worker_at_home();
  clean_kgen(words, 4);
  EXPECT_TRUE(contains(proxy.requests().at(0), kKeys[4])) << "the password did not travel";
  clean_kgen({"doctor"}, 0);
  expect_nothing_written();
}

TEST_F(Secrets, AKeyInAFileIsRefusedAndNotRepeated) {
  write("kgen.toml", "api_key = 'planted-own-0123456789'\n");
  const auto output = clean_kgen({"generate", "--op", "softmax"}, 2);
  EXPECT_TRUE(contains(output.err, "unknown key 'api_key'")) << output.err;
}

TEST_F(Secrets, ASettingThatHoldsOneIsRefusedBeforeItIsKept) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& setting) {
    const auto output = clean_kgen(words + worker_at_home(), 2);
    EXPECT_TRUE(contains(output.err, "the setting " + setting + " holds a")) << output.err;
    EXPECT_FALSE(std::filesystem::exists(path("runs")));
  };
  const std::vector<std::string> generate = {"generate",    "--op",    "softmax", "--provider",
                                             "openai-chat", "--model", "m"};
  for (const char* url : {"http://someone:planted-password@127.0.0.1:1/v1",
                          "http://127.0.0.1:1/v1?api_key=planted-gateway-0123"})
    refused(generate + std::vector<std::string>{"--base-url", url}, "base_url");
  refused({"generate", "--op", "softmax", "--provider", "exec", "--api-key-env", "MY_KEY", "--command",
           "ask --key planted-own-0123456789"},
          "command");
  write("list.toml", "[[task]]\nop = 'softmax'\nextra_body = '{\"key\": \"planted-openai-0123456789\"}'\n");
  refused({"batch", "list.toml"}, "extra_body");
  write("kgen.toml", "base_url = 'http://someone:planted-password@127.0.0.1:1/v1'\n");
  refused(generate, "base_url");
}

TEST_F(Secrets, EveryProviderKeepsItsOwn) {
  for (const char* provider : {"anthropic", "openai"}) {
    MisbehavingServer server({echo(400, "{\"error\":{\"message\":\"", "\"}}")});
    const auto output = kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", provider,
                                                      "--model", "m", "--base-url", server.url()} +
                             worker_at_home());
    EXPECT_EQ(output.status.code, 4) << output.err;
    EXPECT_TRUE(contains(server.requests().at(0), "planted")) << "the key did not travel";
    expect_clean(output.out + output.err, provider);
  }
  expect_nothing_written();
}

TEST_F(Secrets, ABatchKeepsNoneOfThem) {
  write("reply.md", some_reply(1));
  const auto model = write(
      "home-of-someone/model.sh",
      "cat >/dev/null\n[ $KGEN_CANDIDATE = 1 ] && cat reply.md && exit\necho $MY_KEY $HOME/x >&2\nexit 1\n");
  write("list.toml", "[[task]]\nop = 'softmax'\ncommand = 'sh " + model.string() + "'\n");
  const auto output =
      kgen(std::vector<std::string>{"batch", "list.toml", "--provider", "exec", "--api-key-env", "MY_KEY"} +
           worker_at_home());
  EXPECT_EQ(output.status.code, 4) << output.err;
  expect_clean(output.out + output.err, "stdout and stderr");
  expect_nothing_written();
  const auto resumed = kgen({"batch", only_run().string()});
  EXPECT_EQ(resumed.status.code, 4) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "exit code 1"))
      << resumed.err;  // the model's path in the home folder was found
  EXPECT_EQ(kgen({"report", only_run().string()}).status.code, 0);
  expect_nothing_written();
}

}  // namespace
}  // namespace kgen::test
