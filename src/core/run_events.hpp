#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/run_record.hpp"

/// The lines of a run's events.jsonl (docs/run-directory.md).
namespace kgen::core {

/// What a candidate is asked for: a plan of its own, a repair of its parent, or a refinement of it.
enum class Purpose { plan, repair, refine };
std::string_view name_of(Purpose purpose);

/// What a call used. Nothing for `cost_usd`: the model has no price.
struct Spend {
  std::int64_t input_tokens = 0, cached_input_tokens = 0, output_tokens = 0;
  std::optional<double> cost_usd;
};

struct RunStarted {};
/// A later session goes on; `search` is what it searches with.
struct Resumed {
  SearchOptions search;
  std::string provider;
};
/// The run goes on on another device: times that rank are measured again.
struct DeviceChanged {
  DeviceFacts device;
};
struct BaselinesMeasured {
  std::vector<BaselineTiming> baselines;
};
/// Written before a model is called. `part` 2 continues a reply that was cut.
struct AskIntended {
  int candidate = 0;
  int part = 1;
  Purpose purpose = Purpose::plan;
  int parent = 0;      ///< candidate that is repaired or refined; 0: none
  std::string hint{};  ///< name of the strategy or bottleneck
  std::string prompt_hash{};
  bool paid = false;  ///< whether the provider costs anything
};
struct ReplyReceived {
  int candidate = 0;
  int part = 1;
  std::string stop;  ///< end_turn, max_tokens, refusal, truncated, other
  Spend spend{};
  bool usage_complete = true;
  double seconds = 0;
  std::string model{}, request_id{};
  std::optional<bool> prompt_matches{};  ///< replay and manual: whether the reply was written for this prompt
  std::string stop_detail{};             ///< the server's own words: the category of a refusal; often empty
  bool recovered = false;                ///< reply.md was there, its receipt was not: usage unknown
};
/// An attempt of a call failed and may have been repeated.
struct AttemptFailed {
  int candidate = 0;
  std::string problem;
  Spend spend;
  bool possibly_paid = false;
};
/// A call failed for good in this session.
struct AskFailed {
  int candidate = 0;
  std::string message;
};
/// Someone has to write this candidate's reply.md.
struct ReplyAwaited {
  int candidate = 0;
};
/// A call was open when its session ended; its reply is lost and it is asked again.
struct AskLost {
  int candidate = 0;
  bool possibly_paid = false;
};
/// A replay has no further reply.
struct RepliesExhausted {
  int candidate = 0;  ///< asked for in vain
};
struct Evaluated {
  int candidate = 0;
  EvaluationSummary summary;
  std::string notes{};        ///< the plan's own
  std::string source_hash{};  ///< empty: the reply held no kernel
  int variants = 0;           ///< that the plan allows for the task; 0: not known
};
/// A candidate's variants were checked and timed: sweep.json is there. `summary`: the screen of the variant
/// that it goes on with, where that is another than before.
struct Swept {
  int candidate = 0;
  int tried = 0, rejected = 0;
  std::map<std::string, std::int64_t> variant{};  ///< what it goes on with
  std::string reason{};
  std::optional<EvaluationSummary> summary{};
};
struct Interrupted {};
struct Finished {
  Outcome outcome = Outcome::no_correct_kernel;
  int best = 0;        ///< candidate; 0: none
  std::string reason;  ///< "target met", "plateau", "budget: 12 candidates", ...
};

/// What a person decided about the result of a finished run.
struct Reviewed {
  bool accepted = false;
  std::string by;  ///< as the system or the person says
  std::string note;
};

using EventBody = std::variant<RunStarted, Resumed, DeviceChanged, BaselinesMeasured, AskIntended,
                               ReplyReceived, AttemptFailed, AskFailed, ReplyAwaited, AskLost,
                               RepliesExhausted, Evaluated, Swept, Interrupted, Finished, Reviewed>;

struct Event {
  std::string at;       ///< UTC
  double active_s = 0;  ///< seconds of work so far, all sessions together
  EventBody body;
};

/// The event's name in the journal: "ask_intended".
std::string_view name_of(const EventBody& body);
/// One line of events.jsonl, without its newline.
std::string journal_line(const Event& event);
/// Errors: bad_input naming the field.
Result<Event> event_from_line(std::string_view line);

}  // namespace kgen::core
