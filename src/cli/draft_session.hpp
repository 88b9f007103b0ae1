#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/draft_loop.hpp"
#include "cli/command.hpp"
#include "cli/worker_setup.hpp"
#include "config/config.hpp"

namespace kgen::cli {

/// What drafts are written and checked with.
struct DraftEngine {
  std::string provider;
  bool paid = true;
  std::unique_ptr<llm::Client> client;
  RunningWorker worker;
};
/// Errors: provider (no key), bad_input, missing (no worker, or one without a device).
Result<DraftEngine> start_draft_engine(const config::Config& config);

/// What a person asks of one session of a draft.
struct DraftWishes {
  std::vector<std::string> answers;  ///< to open questions in their order, and beside them
  bool accept = false;               ///< take a draft that passes its checks
  std::filesystem::path parent;      ///< where an accepted op's folder is made
};

/// One session of a draft that is there: what the person says, then turns of the model until it is the
/// person's turn again; on a terminal they are asked, else the result says how to go on. An error of the loop
/// is in the result's code and on stderr: the draft's folder holds all that was done. `engine` is started
/// where it is needed and not there. Errors: where the draft cannot be opened, or not be accepted.
Result<CommandResult> run_draft_session(const agent::DraftPaths& paths, const config::Config& config,
                                        const DraftWishes& wishes, std::optional<DraftEngine> engine);

/// Copies the newest draft to PARENT/NAME and journals it. Errors: bad_input where there is no draft that
/// passed its checks, where it was edited since, or where the folder holds something.
Status accept_draft(const agent::DraftPaths& paths, agent::DraftJournal& journal,
                    const std::filesystem::path& parent);

}  // namespace kgen::cli
