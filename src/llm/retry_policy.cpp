#include "llm/retry_policy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <optional>

namespace kgen::llm {
namespace {

constexpr std::array<std::string_view, 5> kFinalCodes = {"insufficient_quota", "enforced_spend_limit_reached",
                                                         "billing_hard_limit_reached", "billing_not_active",
                                                         "account_deactivated"};

std::string_view header(const Headers& headers, const std::string& name) {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

/// A whole non-negative decimal number, or nothing.
std::optional<double> parse_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789. ") != std::string_view::npos) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Unix seconds of an HTTP date such as "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7).
std::optional<std::int64_t> parse_http_date(std::string_view text) {
  std::tm parts = {};
  const std::string copy(text);
  const char* end = ::strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<std::int64_t>(::timegm(&parts));
}

std::optional<double> server_delay_s(const Headers& headers, std::int64_t now_unix) {
  if (const auto ms = parse_number(header(headers, "retry-after-ms"))) return *ms / 1000.0;
  const std::string_view after = header(headers, "retry-after");
  if (const auto seconds = parse_number(after)) return seconds;
  if (const auto date = parse_http_date(after))
    return static_cast<double>(std::max<std::int64_t>(*date - now_unix, 0));
  return std::nullopt;
}

bool may_retry(const Failure& failure) {
  if (is_final_code(failure.error_code)) return false;
  const std::string_view said = header(failure.headers, "x-should-retry");
  if (said == "true") return true;
  if (said == "false") return false;
  const int status = failure.status;
  return status == 0 || status == 408 || status == 409 || status == 429 || status >= 500;
}

}  // namespace

bool is_final_code(std::string_view code) {
  return std::find(kFinalCodes.begin(), kFinalCodes.end(), code) != kFinalCodes.end();
}

RetryDecision next_delay(const RetryLimits& limits, int retries_done, const Failure& failure, double random,
                         std::int64_t now_unix) {
  using Action = RetryDecision::Action;
  if (!may_retry(failure)) return {Action::give_up, 0};
  const std::optional<double> asked = server_delay_s(failure.headers, now_unix);
  if (asked && *asked > limits.max_wait_s) return {Action::suspend, *asked};
  if (retries_done >= limits.max_retries) return {Action::give_up, 0};
  if (asked) return {Action::retry, *asked};
  const double backoff = std::min(0.5 * std::exp2(std::min(retries_done, 10)), 8.0) * (1 - 0.25 * random);
  return {Action::retry, std::min(backoff, limits.max_wait_s)};
}

}  // namespace kgen::llm
