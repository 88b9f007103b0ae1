#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_loop.hpp"
#include "cli/command.hpp"
#include "cli/embedded_transcript.hpp"
#include "cli/worker_setup.hpp"
#include "llm/client.hpp"

namespace kgen::cli {

/// The models of one session: as many clients as calls may be open at once.
struct SessionModels {
  std::string provider;
  std::string model;
  bool paid = true;
  std::vector<std::unique_ptr<llm::Client>> clients;
  std::optional<EmbeddedTranscript> transcript;  ///< where kgen's own is replayed
};
/// Errors: provider (exit code 4) where no key or provider is there; bad_input.
Result<SessionModels> make_models(const config::Config& config, const core::Task& task, int parallel);

/// One session of a run, from the lock to the summary.
struct SessionInputs {
  agent::RunPaths paths;
  const config::Config& config;
  core::SearchOptions search;
  SessionModels& models;
  RunningWorker& worker;
  std::string op{};  ///< as --op named it; empty where a run goes on, whose record has the op's name alone
};
/// Searches until the run of `journal` is finished. Errors: those of agent::run_search.
Result<core::Finished> search(const SessionInputs& inputs, agent::Journal& journal,
                              agent::LoopProgress progress);

/// Searches, tells of progress on stderr, and sums up. An error of the search (interrupted, waiting,
/// provider, ...) is in the result's code and on stderr: the run directory holds all that was done. Errors:
/// where the run cannot be opened at all.
Result<CommandResult> run_session(const SessionInputs& inputs);

/// A new run's record; its name and seed are the caller's to give.
core::RunRecord new_record(const core::Task& task, const core::HelloReply& hello, const SessionModels& models,
                           const core::SearchOptions& search, const config::Config& config);

/// Summary and JSON of a run as it lies in its folder. `problem` says why a session ended early.
Result<CommandResult> sum_up(const agent::RunPaths& paths, const std::optional<Error>& problem);

}  // namespace kgen::cli
