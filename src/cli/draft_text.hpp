#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agent/draft_folder.hpp"
#include "core/exit_code.hpp"

namespace kgen::cli {

/// A draft as it lies in its folder.
struct DraftSummary {
  agent::DraftRecord record;
  agent::DraftState state;
  std::filesystem::path folder;
  int drafted = 0;           ///< the newest candidate that is a draft and no question; 0: there is none
  prompt::DraftFiles files;  ///< its
  std::vector<core::Finding> findings;  ///< its
};

/// Reads what `state` speaks of. Errors: bad_input or missing.
Result<DraftSummary> summarize_draft(const agent::DraftPaths& paths, const agent::DraftJournal& journal);

/// "The model asks:" and each question with its number, a line each.
std::string question_list(const std::vector<std::string>& questions);

/// Where it stands: "accepted", "unfinished", or the name of the newest candidate's outcome.
std::string draft_standing(const agent::DraftState& state);
/// ok for a draft that was proven or accepted, waiting where questions are open, else not_met.
core::ExitCode draft_exit_code(const agent::DraftState& state);

/// The whole for a person to decide on; `with_files` shows op.toml and reference.cu, which control
/// characters are taken out of.
std::string draft_text(const DraftSummary& draft, bool with_files, bool color);
nlohmann::json draft_json(const DraftSummary& draft, const std::optional<Error>& problem,
                          core::ExitCode code);

/// One line of progress; empty for what is of no interest.
std::string draft_event_line(const agent::DraftEventBody& event);

}  // namespace kgen::cli
