// kgen profile FILE: what one kernel's time goes to, with the evidence.
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/eval_exit_code.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/judge_file.hpp"
#include "cli/profile_text.hpp"
#include "cli/setting_flags.hpp"
#include "cli/task_flags.hpp"
#include "core/diagnosis.hpp"
#include "util/clock.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

struct ProfileFlags {
  std::shared_ptr<TaskFlags> task;
  std::shared_ptr<FlagValues> settings;
  std::string file;
  bool all = false;
};

nlohmann::json causes_json(const core::Profile& profile) {
  nlohmann::json out = nlohmann::json::array();
  for (const core::Diagnosis& cause : core::diagnose(profile)) {
    out.push_back({{"rule", cause.rule},
                   {"kernel", cause.kernel},
                   {"weight", cause.weight},
                   {"what", cause.what},
                   {"lines", cause.lines},
                   {"advice", cause.advice}});
  }
  return out;
}

/// 0 where counters were had; a kernel that is not correct is not profiled.
core::ExitCode code_of(const JudgedFile& judged) {
  const core::ExitCode code = eval_exit_code(judged.evaluation, judged.device.kind, {});
  if (code != core::ExitCode::ok) return code;
  const auto& profile = judged.evaluation.profile;
  return profile && !profile->kernels.empty() ? core::ExitCode::ok : core::ExitCode::missing;
}

CommandResult result_of(const ProfileFlags& flags, const JudgedFile& judged, bool color) {
  const core::Task& task = judged.request.task;
  const core::Evaluation& evaluation = judged.evaluation;
  CommandResult result;
  result.code = code_of(judged);
  const std::string title = flags.file + ": " + core::describe(task) + " on " + device_title(judged.device);
  nlohmann::json json{{"file", flags.file},
                      {"op", task.op->name},
                      {"dtype", core::name_of(task.dtype)},
                      {"dims", task.dims},
                      {"attributes", task.attributes},
                      {"device", core::to_json(judged.device)},
                      {"verdict", core::name_of(evaluation.verdict)},
                      {"exit_code", static_cast<int>(result.code)}};
  const bool is_static = evaluation.verdict == core::Verdict::not_run;  // the machine code alone
  if ((evaluation.verdict == core::Verdict::correct || is_static) && evaluation.profile) {
    result.text = title + "\n" + profile_page_text(*evaluation.profile, judged.request.source, flags.all);
    json["profile"] = core::to_json(*evaluation.profile);
    json["diagnosis"] = causes_json(*evaluation.profile);
  } else {
    result.text = evaluation_text(title, evaluation, color) +
                  "\nOnly a correct kernel that ran is profiled; of one that is only compiled, its machine "
                  "instructions (`kgen doctor` says whether nvdisasm is there).\n";
  }
  result.json = document("profile", std::move(json));
  return result;
}

Result<CommandResult> run_profile(const ProfileFlags& flags, bool color) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(*flags.settings));
  KGEN_TRY(const JudgedFile judged,
           judge_file(loaded.config, *flags.task, flags.file, [](core::EvaluateRequest& request) {
             request.tier = core::Tier::screen;
             request.seed = util::random_seed();
             request.timing = false;
           }));
  return result_of(flags, judged, color);
}

}  // namespace

void add_profile(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "profile", "Say what one kernel's time goes to",
                  "  kgen profile kernel.cu --op softmax --dtype bf16 --shape rows=8192,cols=8192\n"
                  "  kgen profile kernel.cu --op softmax --all              with every counter\n"
                  "  kgen profile kernel.cu --op softmax --device emulator  counted from PTX, without times\n"
                  "  kgen profile kernel.cu --op softmax --device none      its machine instructions");
  auto flags = std::make_shared<ProfileFlags>();
  command->add_option("FILE", flags->file, "the kernel, with its launch plan in the first comment")
      ->required();
  flags->task = add_task_flags(*command);
  command->add_flag("--all", flags->all, "every counter too");
  flags->settings = add_setting_flags(*command, together({kWorkerSettings, {"ops"}}));
  command->callback([flags, &invocation] {
    invocation.run = [flags] { return run_profile(*flags, util::use_color(stdout)); };
  });
}

}  // namespace kgen::cli
