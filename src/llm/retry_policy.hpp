#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "llm/http_transport.hpp"

namespace kgen::llm {

/// What is known about a failed attempt.
struct Failure {
  int status = 0;          ///< HTTP status; 0 where no response came (refused, reset, silent)
  std::string error_code;  ///< the provider's own code or type
  Headers headers;
};

struct RetryLimits {
  int max_retries = 5;
  double max_wait_s = 120;
};

struct RetryDecision {
  enum class Action { retry, give_up, suspend };
  Action action = Action::give_up;
  double delay_s = 0;  ///< before the next attempt; for suspend, what the server asked for
};

/// Whether and when to try again after attempt `retries_done` (0 for the first) failed.
/// Final codes (insufficient_quota, enforced_spend_limit_reached, ...) give up; then x-should-retry decides,
/// else 408, 409, 429, >= 500 and connection errors are retried. The delay is retry-after-ms, else
/// retry-after (seconds or HTTP date against `now_unix`), else min(0.5 * 2^n, 8) * (1 - 0.25 * random) s; a
/// delay above the cap suspends. `random` is in [0, 1). As the official SDKs do (openai 7.55,
/// @anthropic-ai/sdk 1.11).
RetryDecision next_delay(const RetryLimits& limits, int retries_done, const Failure& failure, double random,
                         std::int64_t now_unix);

/// True for a provider's error code that no later attempt can change.
bool is_final_code(std::string_view code);

}  // namespace kgen::llm
