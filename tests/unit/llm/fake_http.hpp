#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llm/http_client.hpp"

namespace kgen::llm {

/// What the fake transport answers to one POST.
struct FakeAnswer {
  int status = 200;
  Headers headers = {};
  std::vector<std::string> chunks = {};
  TransferEnd end = TransferEnd::done;
  std::string detail = {};
  double takes_s = 0;
};

/// What a test set up and what happened.
struct FakeWorld {
  std::vector<FakeAnswer> answers = {};  ///< the last one repeats
  std::vector<HttpRequest> requests = {};
  std::vector<double> sleeps = {};
  double now_s = 1000;
  double random = 0;
};

/// An openai-chat client whose network, clock and chance are `world`, with key "planted-key" and a 120 s
/// cap.
std::unique_ptr<Client> make_fake_client(FakeWorld& world);

/// A chunk with `text`; one with a finish_reason; one with usage (100 in, 10 out); [DONE].
std::string text_chunk(const std::string& text);
std::string finish_chunk(const std::string& reason);
extern const std::string kUsageChunk;
extern const std::string kDoneChunk;
/// A whole good answer.
FakeAnswer good_answer(const std::string& text);

}  // namespace kgen::llm
