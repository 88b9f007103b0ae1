#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/run_events.hpp"

/// The lines of a draft's events.jsonl (docs/ops/draft.md): those of a run about calls to the model, and what
/// follows.
namespace kgen::agent {

/// What became of a reply.
enum class DraftOutcome {
  questions,   ///< the model asks; a person answers
  unreadable,  ///< neither questions nor a draft
  not_proven,  ///< a draft, and its check failed
  proven,      ///< a draft, and its check passed
  refused,     ///< the model declined
};
std::string_view name_of(DraftOutcome outcome);

/// A reply was read, and a draft in it checked: op/ and findings.json are there.
struct Drafted {
  int candidate = 0;
  DraftOutcome outcome = DraftOutcome::unreadable;
  std::string problem{};                 ///< unreadable, refused: why
  std::vector<std::string> questions{};  ///< the model's
  std::string op{}, op_hash{};           ///< of a draft that was proven: its name, and the hash of its files
};

/// A person spoke: answers to a candidate's questions in their order, then what they say beside.
struct Answered {
  int candidate = 0;  ///< the newest then; 0: there was none
  std::vector<std::string> answers;
};

/// A person accepted a draft.
struct DraftAccepted {
  int candidate = 0;
  std::string folder;  ///< where it was copied to
};

using DraftEventBody = std::variant<core::EventBody, Drafted, Answered, DraftAccepted>;

struct DraftEvent {
  std::string at;       ///< UTC
  double active_s = 0;  ///< seconds of work so far, all sessions together
  DraftEventBody body;
};

/// One line of events.jsonl, without its newline.
std::string journal_line(const DraftEvent& event);
/// Errors: bad_input naming the field.
Result<DraftEvent> draft_event_from_line(std::string_view line);

}  // namespace kgen::agent
