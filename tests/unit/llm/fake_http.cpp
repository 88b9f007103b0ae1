#include "fake_http.hpp"

#include <algorithm>
#include <utility>

#include "llm/openai_chat_codec.hpp"

namespace kgen::llm {
namespace {

class FakeTransport : public HttpTransport {
 public:
  explicit FakeTransport(FakeWorld& world) : world_(world) {}

  HttpOutcome post(const HttpRequest& request, const HttpSink& sink) override {
    const FakeAnswer& answer = world_.answers.at(std::min(world_.requests.size(), world_.answers.size() - 1));
    world_.requests.push_back(request);
    world_.now_s += answer.takes_s;
    HttpOutcome outcome;
    outcome.status = answer.status;
    outcome.headers = answer.headers;
    outcome.end = answer.end;
    outcome.detail = answer.detail;
    outcome.sent = answer.status > 0;
    if (answer.status > 0) sink.head({answer.status, answer.headers});
    for (const std::string& chunk : answer.chunks) {
      if (sink.cancelled && sink.cancelled()) {
        outcome.end = TransferEnd::cancelled;
        return outcome;
      }
      if (!sink.data(chunk)) break;
    }
    return outcome;
  }

 private:
  FakeWorld& world_;
};

}  // namespace

const std::string kUsageChunk =
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":10}}\n\n";
const std::string kDoneChunk = "data: [DONE]\n\n";

std::string text_chunk(const std::string& text) {
  return "data: {\"model\":\"gpt-6.1-sol\",\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}

std::string finish_chunk(const std::string& reason) {
  return "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}\n\n";
}

FakeAnswer good_answer(const std::string& text) {
  return {200, {}, {text_chunk(text), finish_chunk("stop"), kUsageChunk, kDoneChunk}, TransferEnd::done,
          "",  2};
}

std::unique_ptr<Client> make_fake_client(FakeWorld& world) {
  HttpClientParts parts;
  parts.codec = make_openai_chat_codec({}).value();
  parts.transport = std::make_unique<FakeTransport>(world);
  parts.endpoint.base_url = "https://example.test/v1";
  parts.endpoint.headers = {{"Authorization", "Bearer planted-key"}};
  parts.endpoint.secrets = {"planted-key"};
  parts.endpoint.key_hint = "check the key in OPENAI_API_KEY";
  parts.defaults.model = "gpt-6.1-sol";
  parts.models = load_model_table({}).value();
  parts.surroundings = {[&] { return world.now_s; }, [] { return std::int64_t{0}; },
                        [&] { return world.random; },
                        [&](double seconds, const std::function<bool()>& cancelled) {
                          world.sleeps.push_back(seconds);
                          world.now_s += seconds;
                          return !(cancelled && cancelled());
                        }};
  return make_http_client(std::move(parts));
}

}  // namespace kgen::llm
