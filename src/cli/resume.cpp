// kgen resume RUN...: goes on with runs that were interrupted, wait for replies, or get a larger budget.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>

#include "cli/command.hpp"
#include "cli/report_result.hpp"
#include "cli/run_session.hpp"
#include "cli/search_settings.hpp"
#include "cli/shape_text.hpp"
#include "core/protocol.hpp"
#include "core/worst_exit.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

struct ResumeFlags {
  std::vector<std::string> runs;
  std::shared_ptr<FlagValues> settings;
};

/// Goes on with one run. Its own settings come before the flags given now.
Result<CommandResult> resume_run(const std::string& folder, const FlagValues& flags) {
  const agent::RunPaths paths{folder};
  KGEN_TRY(const agent::StoredRun run, agent::read_run(paths));
  FlagValues layered = run_config_flags(run.record.config);
  std::vector<std::string_view> given;
  for (const auto& flag : flags) {
    layered.push_back(flag);
    given.push_back(flag.first);
  }
  KGEN_TRY(config::LoadedConfig loaded, load_settings(layered));
  if (loaded.config.provider.empty()) loaded.config.provider = run.record.provider;
  KGEN_TRY(const core::SearchOptions search, with_settings(run.state.search, loaded.config, given));
  KGEN_TRY(SessionModels models, make_models(loaded.config, run.record.task, search.parallel));
  KGEN_TRY(RunningWorker worker, start_worker(loaded.config));
  KGEN_CHECK(check_memory(run.record.task, worker.hello.device));
  return run_session({paths, loaded.config, search, models, worker});
}

Result<CommandResult> run_resume(const ResumeFlags& flags) {
  CommandResult all;
  nlohmann::json runs = nlohmann::json::array();
  for (const std::string& folder : flags.runs) {
    auto result = resume_run(folder, *flags.settings);
    if (result) {
      all.text += (all.text.empty() ? "" : "\n") + result->text;
      runs.push_back(nlohmann::json::parse(result->json));
      all.code = worse_of(all.code, result->code);
    } else {
      std::fputs(error_text(result.error(), util::use_color(stderr)).c_str(), stderr);
      runs.push_back({{"run", folder}, {"error", core::to_json(result.error())}});
      all.code = worse_of(all.code, core::exit_code_for(result.error().kind));
    }
    if (util::interrupted()) break;
  }
  all.json = document("resume", {{"runs", runs}, {"exit_code", static_cast<int>(all.code)}});
  return all;
}

}  // namespace

void add_resume(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "resume", "Go on with runs",
                  "  kgen resume runs/softmax-bf16-8192x8192-20260102-030405\n"
                  "  kgen resume runs/*                                 every run, one after the other\n"
                  "  kgen resume RUN --candidates 30 --worker 'ssh gpubox kgen-worker'");
  auto flags = std::make_shared<ResumeFlags>();
  command->add_option("RUN", flags->runs, "run directories")->required();
  flags->settings = add_setting_flags(
      *command, together({kWorkerSettings, kProviderSettings, kSearchSettings, {"prompts"}}));
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_resume(*flags); }; });
}

}  // namespace kgen::cli
