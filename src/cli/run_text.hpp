#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/run_events.hpp"
#include "core/run_state.hpp"
#include "report/run_words.hpp"

/// A run as a person reads it: pure functions from record and state to text.
namespace kgen::cli {

using report::cost_text;
using report::outcome_sentence;

/// What a summary is made of. `best` is the evaluation that the outcome rests on.
struct RunSummary {
  const core::RunRecord& record;
  const core::RunState& state;
  std::filesystem::path folder;
  std::optional<core::Evaluation> best;
};

/// The final summary: outcome, time with interval, speed-ups, % of roofline, checks, cost, where the file is.
std::string summary_text(const RunSummary& run, bool color);

/// One row a candidate: number, purpose, parent, verdict, time, speed-up over the best library, flags, notes.
std::string candidates_table(const core::RunState& state);

/// What happened, in one line, for progress without a terminal.
std::string event_line(const core::Event& event);
/// Those about one candidate.
std::vector<core::Event> events_of(const std::vector<core::Event>& events, int candidate);
/// Every event with its time, one a line.
std::string journal_text(const std::vector<core::Event>& events);

}  // namespace kgen::cli
