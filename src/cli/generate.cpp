// kgen generate: searches for one kernel.
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/run_session.hpp"
#include "cli/search_settings.hpp"
#include "cli/task_flags.hpp"
#include "util/clock.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

struct GenerateFlags {
  std::shared_ptr<TaskFlags> task;
  std::shared_ptr<FlagValues> settings;
  std::optional<std::uint64_t> seed;
};

Result<CommandResult> run_generate(const GenerateFlags& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(*flags.settings));
  const config::Config& config = loaded.config;
  KGEN_TRY(core::Task task, task_from_flags(*flags.task, config.ops));
  KGEN_TRY(const core::SearchOptions search,
           with_settings({}, config, together({kSearchSettings, {"kernel_timeout"}})));
  // A recorded transcript is chosen by the shape that will be judged, and a missing key is told before a
  // worker starts.
  KGEN_TRY(task, fit_to_kind(task, *flags.task, config.device == "emulator"));
  KGEN_TRY(SessionModels models, make_models(config, task, search.parallel));
  KGEN_TRY(RunningWorker worker, start_worker(config));
  const core::Dims dims = task.dims;
  KGEN_TRY(task, fit_to_device(task, *flags.task, worker.hello.device));
  if (task.dims != dims) {  // --device auto found the emulator
    KGEN_TRY(models, make_models(config, task, search.parallel));
  }
  core::RunRecord record = new_record(task, worker.hello, models, search, config);
  record.seed = flags.seed.value_or(util::random_seed());
  KGEN_TRY(const agent::RunPaths paths, agent::create_run(config.runs, record));
  std::fprintf(stderr, "kgen: %s on %s; run directory %s\n", core::describe(task).c_str(),
               device_title(worker.hello.device).c_str(), paths.root.c_str());
  KGEN_TRY(CommandResult result, run_session({paths, config, search, models, worker, flags.task->op}));
  result.json = document("generate", nlohmann::json::parse(result.json));
  return result;
}

}  // namespace

void add_generate(CLI::App& root, Invocation& invocation) {
  CLI::App* const command = add_command(
      root, invocation, "generate", "Search for a kernel with a language model",
      "  kgen generate --op softmax                               with the model whose key is set\n"
      "  kgen generate --op softmax --provider replay --device emulator\n"
      "  kgen generate --op softmax --provider manual --parallel 3   write prompts, stop, go on at `kgen "
      "resume`\n"
      "  kgen generate --op add_relu --dtype f32 --shape n=64Mi --provider openai-chat --model NAME \\\n"
      "      --base-url http://localhost:8000/v1 --candidates 20 --dollars 2 --target 1.2x");
  auto flags = std::make_shared<GenerateFlags>();
  flags->task = add_task_flags(*command);
  add_seed_flag(*command, flags->seed, "every evaluation's seed follows from it");
  flags->settings = add_setting_flags(
      *command, together({kWorkerSettings, kProviderSettings, kSearchSettings, {"runs", "prompts", "ops"}}));
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_generate(*flags); }; });
}

}  // namespace kgen::cli
