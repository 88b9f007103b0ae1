// kgen eval FILE: judges one kernel.
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/eval_exit_code.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/judge_file.hpp"
#include "cli/setting_flags.hpp"
#include "cli/task_flags.hpp"
#include "core/run_record.hpp"
#include "util/clock.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

struct EvalFlags {
  std::shared_ptr<TaskFlags> task;
  std::shared_ptr<FlagValues> settings;
  std::string file, tier = "screen";
  std::optional<std::uint64_t> seed;
  bool checks_only = false;
};

/// What the exit code says of the target.
std::string target_text(const core::Target& target, const core::Evaluation& evaluation) {
  std::string outcome = "not met";
  if (core::meets(target, core::summarize(evaluation)))
    outcome = "met";
  else if (evaluation.verdict != core::Verdict::correct)
    outcome += ": only a correct kernel is timed";
  else if (!evaluation.timing)
    outcome += ": nothing was timed (on the emulator and with --checks-only nothing is)";
  return "\n  target  " + core::text_of(target) + ": " + outcome + "\n";
}

CommandResult result_of(const EvalFlags& flags, const core::Task& task, const core::DeviceFacts& device,
                        const core::Evaluation& evaluation, const std::optional<core::Target>& target,
                        bool color) {
  CommandResult result;
  result.code = eval_exit_code(evaluation, device.kind, target);
  const std::string title = flags.file + ": " + core::describe(task) + " on " + device_title(device);
  result.text = evaluation_text(title, evaluation, color) + (target ? target_text(*target, evaluation) : "");
  result.json = document("eval", {{"file", flags.file},
                                  {"op", task.op->name},
                                  {"dtype", core::name_of(task.dtype)},
                                  {"dims", task.dims},
                                  {"attributes", task.attributes},
                                  {"device", core::to_json(device)},
                                  {"evaluation", core::to_json(evaluation)},
                                  {"exit_code", static_cast<int>(result.code)}});
  return result;
}

Result<CommandResult> run_eval(const EvalFlags& flags, bool color) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(*flags.settings));
  const config::Config& config = loaded.config;
  std::optional<core::Target> target;
  if (loaded.origins.contains("target") && loaded.origins.at("target") == "--target") {
    KGEN_TRY(target, core::parse_target(config.target));
  }
  KGEN_TRY(const JudgedFile judged,
           judge_file(config, *flags.task, flags.file, [&](core::EvaluateRequest& request) {
             request.tier = flags.tier == "promotion" ? core::Tier::promotion : core::Tier::screen;
             request.seed = flags.seed.value_or(util::random_seed());
             request.timing = !flags.checks_only;
             request.profile = !flags.checks_only;
             request.require_all_shapes = config.general;
           }));
  return result_of(flags, judged.request.task, judged.device, judged.evaluation, target, color);
}

}  // namespace

void add_eval(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "eval", "Check and time one kernel",
                  "  kgen eval kernel.cu --op softmax --dtype bf16 --shape rows=8192,cols=8192\n"
                  "  kgen eval kernel.cu --op add_relu --tier promotion --target 1.1x\n"
                  "  kgen eval kernel.cu --op softmax --device none          compile it only\n"
                  "  kgen eval kernel.cu --op softmax --worker 'ssh gpubox kgen-worker' --json -");
  auto flags = std::make_shared<EvalFlags>();
  command->add_option("FILE", flags->file, "the kernel, with its launch plan in the first comment")
      ->required();
  flags->task = add_task_flags(*command);
  command->add_option("--tier", flags->tier, "screen (fast) or promotion (everything)")
      ->type_name("TIER")
      ->check(CLI::IsMember({"screen", "promotion"}));
  add_seed_flag(*command, flags->seed, "repeats the inputs of an evaluation");
  command->add_flag("--checks-only", flags->checks_only, "do not time");
  flags->settings = add_setting_flags(*command, together({kWorkerSettings, {"target", "general", "ops"}}));
  command->callback([flags, &invocation] {
    invocation.run = [flags] { return run_eval(*flags, util::use_color(stdout)); };
  });
}

}  // namespace kgen::cli
