#pragma once

#include <filesystem>
#include <optional>

#include "core/run_events.hpp"
#include "llm/client.hpp"

/// What journals say of calls to a model, in runs and in drafts.
namespace kgen::agent {

core::Spend spend_of(const llm::Usage& usage, const std::optional<double>& cost_usd);
core::AttemptFailed attempt_event(int candidate, const llm::FailedAttempt& attempt);
core::ReplyReceived reply_event(int candidate, int part, const llm::Reply& reply);
/// The receipt of a reply that had reached the disk when its session ended.
core::ReplyReceived recovered_event(int candidate, int part);

/// A reply is paid for before it can be written: ask only where there is room for it. Errors: missing with
/// less than 16 MiB of space left.
Status check_space(const std::filesystem::path& folder);

}  // namespace kgen::agent
