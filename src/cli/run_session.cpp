#include "cli/run_session.hpp"

#include <cstdio>
#include <utility>

#include "cli/number_text.hpp"
#include "cli/op_catalogue.hpp"
#include "cli/provider_setup.hpp"
#include "cli/report_result.hpp"
#include "cli/run_json.hpp"
#include "cli/run_text.hpp"
#include "cli/search_settings.hpp"
#include "cli/status_line.hpp"
#include "cli/version.hpp"
#include "util/clock.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

agent::LoopProgress progress_on(StatusLine& status) {
  agent::LoopProgress progress;
  progress.event = [&](const core::Event& event, const core::RunState&) {
    status.say(event_line(event));
    status.show("");
  };
  progress.stage = [&](int candidate, core::Tier tier, const core::Stage& stage) {
    status.show("candidate " + std::to_string(candidate) +
                (tier == core::Tier::promotion ? ", promotion: " : ": ") + stage.name + " " +
                significant(stage.ms) + " ms");
  };
  progress.tokens = [&](int candidate, std::int64_t tokens) {
    status.show("candidate " + std::to_string(candidate) + ": " + count_text(tokens) + " tokens so far");
  };
  return progress;
}

}  // namespace

Result<core::Finished> search(const SessionInputs& inputs, agent::Journal& journal,
                              agent::LoopProgress progress) {
  KGEN_TRY(const prompt::PromptLibrary prompts, prompt::PromptLibrary::load(inputs.config.prompts));
  std::vector<llm::Client*> clients;
  for (const auto& client : inputs.models.clients) clients.push_back(client.get());
  return agent::run_search({journal, inputs.paths, std::move(clients), inputs.models.paid,
                            model_options(inputs.config), inputs.search, *inputs.worker.pool,
                            inputs.worker.hello.device, prompts, util::interrupted, std::move(progress)});
}

Result<SessionModels> make_models(const config::Config& config, const core::Task& task, int parallel) {
  SessionModels models;
  llm::ProviderConfig provider = provider_config(config);
  KGEN_TRY(models.provider, llm::choose_provider(provider, llm::process_environment()));
  if (models.provider == "replay" && config.transcript.empty()) {
    KGEN_TRY(models.transcript, unpack_transcript(task));
    provider.transcript = models.transcript->folder.path();
  }
  for (int i = 0; i < parallel; ++i) {
    KGEN_TRY(auto client, llm::make_client(provider));
    models.clients.push_back(std::move(client));
  }
  models.model = models.clients.front()->model();
  models.paid = models.provider != "manual" && models.provider != "replay";
  return models;
}

core::RunRecord new_record(const core::Task& task, const core::HelloReply& hello, const SessionModels& models,
                           const core::SearchOptions& search, const config::Config& config) {
  core::RunRecord record;
  record.created_at = util::utc_now_text();
  record.task = task;
  record.device = hello.device;
  record.search = search;
  record.provider = models.provider;
  record.model = models.model;
  record.versions = {{"kgen", kVersion},
                     {"worker", hello.worker_version},
                     {"cuda", hello.device.cuda_version},
                     {"driver", hello.device.driver_version}};
  record.config = run_config_json(config);
  return record;
}

Result<CommandResult> run_session(const SessionInputs& inputs) {
  std::optional<Error> problem;
  if (inputs.models.transcript) {
    std::fprintf(stderr, "kgen: replay of the recorded transcript %s: no model is asked\n",
                 inputs.models.transcript->name.c_str());
  }
  {
    KGEN_TRY(agent::Journal journal, agent::Journal::open(inputs.paths));
    StatusLine status(util::is_terminal(stderr));
    const auto finished = search(inputs, journal, progress_on(status));
    if (!finished) problem = with_own_files(inputs.op, inputs.config.ops, finished.error());
  }
  if (problem) say_error(*problem);
  return sum_up(inputs.paths, problem);
}

Result<CommandResult> sum_up(const agent::RunPaths& paths, const std::optional<Error>& problem) {
  KGEN_TRY(const agent::StoredRun run, agent::read_run(paths));
  RunSummary summary{run.record, run.state, paths.root, std::nullopt};
  if (run.state.finished && run.state.finished->best > 0) {
    const core::CandidateState* best = run.state.find(run.state.finished->best);
    const auto tier = best && best->promotion ? core::Tier::promotion : core::Tier::screen;
    if (auto evaluation = agent::read_evaluation(paths, run.state.finished->best, tier))
      summary.best = *evaluation;
  }
  CommandResult result;
  if (problem)
    result.code = core::exit_code_for(problem->kind);
  else if (run.state.finished)
    result.code = core::exit_code_for(run.state.finished->outcome);
  result.text = summary_text(summary, util::use_color(stdout));
  result.json = run_json(summary, problem, result.code).dump();
  return result;
}

}  // namespace kgen::cli
