#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "util/error.hpp"

namespace kgen::llm {

/// What a model is asked: `system` holds the rules (a stable, cacheable prefix), `user` the rest.
struct Prompt {
  std::string system;
  std::string user;
};

/// How a model is asked. Empty or absent: the provider's own default, the field is not sent.
struct ModelOptions {
  std::string model;
  std::optional<int> max_output_tokens;
  std::string effort;  ///< reasoning effort, in the provider's words: low, medium, high
  std::optional<double> temperature;
};

/// Tokens of one call, all its attempts together. `input_tokens` counts the cached ones too, `output_tokens`
/// the reasoning.
struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t cached_input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t reasoning_tokens = 0;
  std::int64_t cache_write_tokens =
      0;  ///< input that was written to the server's cache, at a price of its own

  Usage& operator+=(const Usage& other);
};

/// Why the model stopped. `max_tokens`: cut by length, a further prompt can continue it. `truncated`: the
/// connection or the process ended before the reply did, and retries did not help; or the model's context was
/// full.
enum class StopReason { end_turn, max_tokens, refusal, truncated, other };
std::string_view to_string(StopReason stop);
std::optional<StopReason> parse_stop_reason(std::string_view text);

/// One model call's answer.
struct Reply {
  std::string text;
  std::string reasoning;  ///< where the server shows it; never part of `text`
  StopReason stop = StopReason::end_turn;
  std::string stop_detail;  ///< why, in the server's words ("cyber: ..."); redacted, often empty
  Usage usage;
  bool usage_complete = false;     ///< false: some of `usage` is an estimate or not known
  std::optional<double> cost_usd;  ///< nothing where the model has no price; manual and exec have none
  std::string model;  ///< as the server names it; for replay, the model that wrote the transcript
  std::string request_id;
  std::optional<bool> prompt_matches;  ///< replay, manual: was this reply written for this very prompt?
  int retries = 0;
  double seconds = 0;
};

/// An attempt that failed and may be repeated: for progress and the ledger.
struct FailedAttempt {
  int number = 1;              ///< 1 is the first
  std::string problem;         ///< redacted
  Usage usage;                 ///< as far as known; estimated where `possibly_paid`
  bool possibly_paid = false;  ///< the server had begun to answer
  std::optional<double> cost_usd;
  std::optional<double> wait_s;  ///< the wait before the next attempt; nothing where there is none
};

/// One call. The callbacks may be empty.
struct Request {
  Prompt prompt;
  ModelOptions options;
  int candidate = 1;                       ///< 1 is the first; replay and scripted models answer by it
  std::filesystem::path candidate_folder;  ///< where prompt.md and reply.md lie (manual)
  std::function<bool()> cancelled;
  std::function<void(std::int64_t output_tokens)> progress;  ///< tokens so far, estimated while streaming
  std::function<void(const FailedAttempt&)> attempt_failed;
};

/// Of a reply that a program or a person writes; a longer one is cut.
constexpr std::size_t kMaxReplyBytes = 16u << 20;

/// A model that can be asked. Not for use by two threads at once.
class Client {
 public:
  virtual ~Client() = default;

  /// Errors: provider (failed for good, or asks to wait longer than the cap), waiting (manual: no reply.md
  /// yet), interrupted (`cancelled` returned true), bad_input. No key is ever part of a message.
  virtual Result<Reply> ask(const Request& request) = 0;
  /// The provider's name: "anthropic", "exec", "replay", ...
  virtual std::string name() const = 0;
  /// The configured model; empty where the provider has none.
  virtual std::string model() const = 0;
};

/// The text of prompt.md: system, a rule, user. What a person pastes into a chat and what the hash is over.
std::string prompt_file_text(const Prompt& prompt);
/// content_hash of prompt_file_text: replay compares it.
std::string prompt_hash(const Prompt& prompt);
/// A rough count for text whose tokens no server counted: four bytes a token.
std::int64_t estimate_tokens(std::size_t bytes);

}  // namespace kgen::llm
