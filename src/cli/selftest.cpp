// kgen selftest: tries the judge itself, on the user's own device, with kernels that cheat or are broken.
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/number_text.hpp"
#include "cli/report_result.hpp"
#include "cli/selftest_text.hpp"
#include "cli/setting_flags.hpp"
#include "cli/status_line.hpp"
#include "cli/worker_setup.hpp"
#include "selftest/run_trial.hpp"
#include "util/clock.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using selftest::Trial;
using selftest::TrialResult;

const std::vector<std::string_view> kSettings = {"device", "worker", "worker_timeout", "compile_jobs",
                                                 "kernel_timeout"};

struct SelftestFlags {
  std::shared_ptr<FlagValues> settings;
  std::string filter;
  std::optional<std::uint64_t> seed;
};

Result<std::vector<Trial>> chosen_trials(const std::string& filter) {
  KGEN_TRY(const auto all, selftest::suite());
  auto chosen = selftest::trials_with(all, filter);
  if (chosen.empty())
    return fail(ErrorKind::bad_input, "--filter '" + filter + "' leaves no kernel of the suite",
                "--filter takes parts of names, such as memo, softmax/ or bf16; a '!' before a part leaves "
                "out what has it");
  return chosen;
}

/// The suite needs a device that runs kernels, and one on which something of what was chosen shows itself.
Status check_device(const std::vector<Trial>& trials, const core::DeviceFacts& device) {
  if (device.kind == core::DeviceKind::none)
    return fail(ErrorKind::missing, "there is no device to try the judge on",
                "name a worker on a machine with a GPU: --worker 'ssh HOST kgen-worker'; `kgen doctor` says "
                "what is missing here");
  for (const Trial& trial : trials)
    if (selftest::runs_on(*trial.subject, device.kind)) return {};
  return fail(ErrorKind::bad_input, "none of the chosen kernels shows itself on " + device_title(device),
              "choose others with --filter");
}

/// Tells of each trial on stderr: one line that is written over on a terminal, else one line a trial.
class TrialProgress {
 public:
  explicit TrialProgress(const std::vector<Trial>& trials)
      : trials_(trials), status_(util::is_terminal(stderr)) {
    show("");
  }
  void stage(const core::Stage& stage) { show(": " + stage.name + " " + significant(stage.ms) + " ms"); }
  void finished(const TrialResult& result) {
    if (!status_.live() || selftest::is_failure(result.outcome))
      status_.say(progress_line(results_.size() + 1, trials_.size(), result));
    results_.push_back(result);
    show("");
  }
  const std::vector<TrialResult>& results() const { return results_; }

 private:
  void show(const std::string& what) {
    if (results_.size() < trials_.size())
      status_.show(std::to_string(results_.size() + 1) + "/" + std::to_string(trials_.size()) + " " +
                   trials_[results_.size()].title() + what + " ...");
  }

  const std::vector<Trial>& trials_;
  StatusLine status_;
  std::vector<TrialResult> results_;
};

/// Runs the trials. What ends them early (interrupted, the worker gone for good) is in the report, with all
/// that was found until then.
SelftestReport run_suite(const std::vector<Trial>& trials, const selftest::TrialOptions& options,
                         RunningWorker& worker) {
  SelftestReport report;
  report.device = worker.hello.device;
  report.seed = options.seed;
  TrialProgress progress(trials);
  const auto on_stage = [&](const core::Stage& stage) { progress.stage(stage); };
  const auto on_result = [&](const TrialResult& result) { progress.finished(result); };
  const auto ran =
      selftest::run_trials(trials, options, *worker.pool, {util::interrupted, on_stage}, on_result);
  if (!ran) report.problem = ran.error();
  report.results = progress.results();
  return report;
}

Result<CommandResult> run_selftest(const SelftestFlags& flags) {
  KGEN_TRY(const std::vector<Trial> trials, chosen_trials(flags.filter));
  KGEN_TRY(config::LoadedConfig loaded, load_settings(*flags.settings));
  loaded.config.python = "none";  // no library is compared with
  selftest::TrialOptions options;
  options.seed = flags.seed.value_or(util::random_seed());
  if (loaded.origins.contains("kernel_timeout")) options.kernel_timeout_s = loaded.config.kernel_timeout_s;
  KGEN_TRY(RunningWorker worker, start_worker(loaded.config));
  options.device = worker.hello.device.kind;
  KGEN_CHECK(check_device(trials, worker.hello.device));
  const SelftestReport report = run_suite(trials, options, worker);
  if (report.problem) say_error(*report.problem);
  return CommandResult{exit_code_of(report), selftest_text(report, util::use_color(stdout)),
                       document("selftest", selftest_json(report))};
}

}  // namespace

void add_selftest(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "selftest",
                  "Try the judge on this device with kernels that cheat, are broken, or are known to be good",
                  "  kgen selftest                                   the whole suite: some minutes on a GPU\n"
                  "  kgen selftest --filter memo                     kernels with memo in their name\n"
                  "  kgen selftest --filter 'softmax/ !kernels/'     those that cheat or are broken alone\n"
                  "  kgen selftest --worker 'ssh gpubox kgen-worker' --json selftest.json");
  auto flags = std::make_shared<SelftestFlags>();
  command
      ->add_option("--filter", flags->filter,
                   "only kernels whose name and type have each word of TEXT in them, and none behind a '!'")
      ->type_name("TEXT");
  add_seed_flag(*command, flags->seed, "repeats the inputs of an earlier run");
  flags->settings = add_setting_flags(*command, kSettings);
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_selftest(*flags); }; });
}

}  // namespace kgen::cli
