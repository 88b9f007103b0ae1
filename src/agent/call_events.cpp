#include "agent/call_events.hpp"

#include <cstdint>
#include <string>
#include <system_error>

namespace kgen::agent {
namespace {

constexpr std::uintmax_t kSpareBytes = std::uintmax_t{16} << 20;

}  // namespace

core::Spend spend_of(const llm::Usage& usage, const std::optional<double>& cost_usd) {
  return {usage.input_tokens, usage.cached_input_tokens, usage.output_tokens, cost_usd};
}

core::AttemptFailed attempt_event(int candidate, const llm::FailedAttempt& attempt) {
  return {candidate, attempt.problem, spend_of(attempt.usage, attempt.cost_usd), attempt.possibly_paid};
}

core::ReplyReceived reply_event(int candidate, int part, const llm::Reply& reply) {
  core::ReplyReceived received{candidate, part, std::string(llm::to_string(reply.stop))};
  received.spend = spend_of(reply.usage, reply.cost_usd);
  received.usage_complete = reply.usage_complete;
  received.seconds = reply.seconds;
  received.model = reply.model;
  received.request_id = reply.request_id;
  received.stop_detail = reply.stop_detail;
  received.prompt_matches = reply.prompt_matches;
  return received;
}

core::ReplyReceived recovered_event(int candidate, int part) {
  core::ReplyReceived received{candidate, part, "other"};
  received.usage_complete = false;
  received.recovered = true;
  return received;
}

Status check_space(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (error || space.available >= kSpareBytes) return {};
  return fail(
      ErrorKind::missing,
      folder.string() + ": less than " + std::to_string(kSpareBytes >> 20) + " MiB of disk space is left",
      "make room, then resume the run; no model was called");
}

}  // namespace kgen::agent
