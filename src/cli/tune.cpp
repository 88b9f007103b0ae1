// kgen tune FILE: tries the variants of one kernel and says which is the fastest.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "agent/autotuner.hpp"
#include "cli/command.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/kernel_file.hpp"
#include "cli/number_checks.hpp"
#include "cli/number_text.hpp"
#include "cli/op_catalogue.hpp"
#include "cli/setting_flags.hpp"
#include "cli/status_line.hpp"
#include "cli/sweep_table.hpp"
#include "cli/task_flags.hpp"
#include "cli/worker_setup.hpp"
#include "core/plan_defaults.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

struct TuneFlags {
  std::shared_ptr<TaskFlags> task;
  std::shared_ptr<FlagValues> settings;
  std::string file, output;
  std::optional<std::uint64_t> seed;
  double seconds = 60;
};

Result<agent::Tuning> tune_kernel(const agent::TuneInputs& inputs, RunningWorker& worker) {
  StatusLine status(util::is_terminal(stderr));
  status.show("compiling ...");
  const auto on_stage = [&](const core::Stage& stage) {
    status.show(stage.name + " " + significant(stage.ms) + " ms ...");
  };
  return agent::tune(*worker.pool, inputs, {util::interrupted, on_stage});
}

/// 0 where a variant is right (without a device: where one compiles).
core::ExitCode code_of(const core::SweepReply& reply) {
  for (const auto& variant : reply.variants) {
    if (variant.verdict == core::Verdict::correct || variant.verdict == core::Verdict::not_run)
      return core::ExitCode::ok;
  }
  return core::ExitCode::not_met;
}

std::string untimed_note(const core::DeviceFacts& device) {
  switch (device.kind) {
    case core::DeviceKind::emulator:
      return "The emulator measures no time: each variant was checked, none is chosen by speed.\n";
    case core::DeviceKind::none:
      return "There is no device: each variant was compiled, none was run.\n";
    case core::DeviceKind::cuda:
      break;
  }
  return "";
}

CommandResult result_of(const TuneFlags& flags, const agent::TuneInputs& inputs, const agent::Tuning& tuning,
                        bool color) {
  const core::Task& task = inputs.screen.task;
  CommandResult result;
  result.code = code_of(tuning.record.reply);
  const std::string title = flags.file + ": " + core::describe(task) + " on " + device_title(inputs.device);
  result.text = title + "\n" + sweep_summary(tuning.record) + "\n" + untimed_note(inputs.device) + "\n" +
                sweep_table(tuning.record);
  if (tuning.screen)
    result.text += "\n" + evaluation_text("in full, with " + core::variant_text(tuning.record.variant),
                                          *tuning.screen, color);
  nlohmann::json json{{"file", flags.file},
                      {"op", task.op->name},
                      {"dtype", core::name_of(task.dtype)},
                      {"dims", task.dims},
                      {"attributes", task.attributes},
                      {"device", core::to_json(inputs.device)},
                      {"sweep", core::to_json(tuning.record)},
                      {"exit_code", static_cast<int>(result.code)}};
  if (tuning.screen) json["evaluation"] = core::to_json(*tuning.screen);
  if (!flags.output.empty()) {
    result.text += "\n" + flags.output + ": the kernel with these defaults\n";
    json["output"] = flags.output;
  }
  result.json = document("tune", std::move(json));
  return result;
}

Status write_tuned(const TuneFlags& flags, const std::string& source, const core::Variant& variant) {
  if (flags.output.empty()) return {};
  const auto tuned = core::with_defaults(source, variant);
  if (!tuned) return fail(ErrorKind::internal, flags.file + ": " + tuned.error().text());
  return util::write_file_atomic(flags.output, *tuned);
}

Result<CommandResult> run_tune(const TuneFlags& flags, bool color) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(*flags.settings));
  const config::Config& config = loaded.config;
  agent::TuneInputs inputs;
  core::EvaluateRequest& screen = inputs.screen;
  KGEN_TRY(screen.task, task_from_flags(*flags.task, config.ops));
  KGEN_TRY(screen.source, read_kernel(flags.file));
  KGEN_TRY(RunningWorker worker, start_worker(config));
  inputs.device = worker.hello.device;
  KGEN_TRY(screen.task, fit_to_device(screen.task, *flags.task, inputs.device));
  inputs.seed = flags.seed.value_or(util::random_seed());
  screen.seed = util::derived_seed(inputs.seed, 1);
  screen.kernel_timeout_s = config.kernel_timeout_s;
  screen.require_all_shapes = config.general;
  inputs.most_variants = static_cast<int>(std::clamp<std::int64_t>(config.variants, 1, 1 << 20));
  inputs.limit_s = flags.seconds;
  KGEN_TRY(const agent::Tuning tuning,
           with_own_files(flags.task->op, config.ops, tune_kernel(inputs, worker)));
  KGEN_CHECK(write_tuned(flags, screen.source, tuning.record.variant));
  return result_of(flags, inputs, tuning, color);
}

}  // namespace

void add_tune(CLI::App& root, Invocation& invocation) {
  CLI::App* const command = add_command(
      root, invocation, "tune", "Time the variants of one kernel",
      "  kgen tune kernel.cu --op softmax --dtype bf16 --shape rows=8192,cols=8192\n"
      "  kgen tune kernel.cu --op softmax --output tuned.cu   the same file, the best as its defaults\n"
      "  kgen tune kernel.cu --op softmax --device emulator   are all variants right?");
  auto flags = std::make_shared<TuneFlags>();
  command->add_option("FILE", flags->file, "the kernel, with its launch plan in the first comment")
      ->required();
  flags->task = add_task_flags(*command);
  command->add_option("--output", flags->output, "write the kernel with the chosen variant as its defaults")
      ->type_name("FILE");
  add_seed_flag(*command, flags->seed, "repeats the variants, their order and their inputs");
  command->add_option("--seconds", flags->seconds, "begin no further variant after this time")
      ->type_name("S")
      ->check(positive_number());
  flags->settings = add_setting_flags(*command, together({kWorkerSettings, {"variants", "general", "ops"}}));
  command->callback([flags, &invocation] {
    invocation.run = [flags] { return run_tune(*flags, util::use_color(stdout)); };
  });
}

}  // namespace kgen::cli
