// kgen batch: searches for many kernels, several at once.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/batch_session.hpp"
#include "cli/batch_text.hpp"
#include "cli/command.hpp"
#include "cli/number_checks.hpp"
#include "cli/op_folder.hpp"
#include "cli/search_settings.hpp"
#include "cli/version.hpp"
#include "config/setting.hpp"
#include "util/clock.hpp"
#include "util/home_folder.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;

struct BatchFlags {
  std::string what;  ///< LIST.toml or a batch directory
  std::shared_ptr<FlagValues> settings;
  std::optional<std::uint64_t> seed;
  std::optional<double> total_dollars;
  int searches = 0;
  bool dry_run = false, only_failed = false;
};

/// Every setting that a run may need and that is not its default, whatever it came from.
FlagValues changed_settings(const config::Config& config) {
  const config::Config defaults;
  FlagValues changed;
  for (const auto& setting : config::settings()) {
    const std::string text = config::value_text(config, setting);
    if (text != config::value_text(defaults, setting)) changed.emplace_back(setting.key, text);
  }
  return changed;
}

/// "0007-softmax-bf16-8192x8192".
std::string folder_name(int number, const core::Task& task) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  std::string name = digits + "-" + agent::run_name(task, "");
  while (name.ends_with('-')) name.pop_back();
  return name;
}

/// Whether the batch says by name that its device is the emulator.
bool is_emulated(const batch::BatchRecord& record, const config::Config& config) {
  const std::vector<std::string> devices =
      record.devices.empty() ? std::vector{config.device} : record.devices;
  return std::all_of(devices.begin(), devices.end(), [](const auto& device) { return device == "emulator"; });
}

/// The task with the folder of an op of the user's seen from the list's own, so that a batch goes on from
/// anywhere.
batch::TaskSpec seen_from_list(batch::TaskSpec spec, const std::string& file) {
  if (!is_op_path(spec.op)) return spec;
  const fs::path folder = fs::absolute(file).parent_path();
  spec.op = util::shorten_home((folder / util::expand_home(spec.op)).lexically_normal().string());
  return spec;
}

/// The list's tasks, each resolved: a wrong one is found before anything is paid for.
Status add_items(const batch::BatchList& list, const std::string& file, batch::BatchRecord& record) {
  std::set<std::pair<std::string, batch::Settings>> seen;
  for (const batch::TaskSpec& listed : list.tasks) {
    const batch::TaskSpec spec = seen_from_list(listed, file);
    const int number = static_cast<int>(record.items.size()) + 1;
    const std::string where = file + ": task " + std::to_string(number) + ": ";
    KGEN_TRY(const config::LoadedConfig loaded, load_settings(item_flags(record, spec, {})));
    const Result<core::Task> task = task_of(spec, loaded.config, is_emulated(record, loaded.config));
    if (!task) return fail(task.error().kind, where + task.error().message, task.error().hint);
    const std::string text = core::describe(*task);
    if (!seen.insert({text + " " + spec.attributes, spec.settings}).second)
      return fail(ErrorKind::bad_input, where + text + " is listed twice with the same settings");
    record.items.push_back({number, spec, text, folder_name(number, *task)});
  }
  return {};
}

Result<batch::BatchRecord> new_batch(const BatchFlags& flags, const std::string& text) {
  KGEN_TRY(const batch::BatchList list, batch::parse_batch_list(text, flags.what));
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(list.defaults));
  batch::BatchRecord record;
  record.name = "batch-" + fs::path(flags.what).stem().string() + "-" + util::compact_now_text();
  record.created_at = util::utc_now_text();
  record.seed = flags.seed.value_or(util::random_seed());
  record.dollars = flags.total_dollars ? flags.total_dollars : list.dollars;
  record.workers = list.workers;
  record.devices = list.devices;
  record.settings = changed_settings(loaded.config);
  record.flags = *flags.settings;
  record.versions = {{"kgen", kVersion}};
  const std::size_t places =
      std::max<std::size_t>(list.workers.size(), 1) * std::max<std::size_t>(list.devices.size(), 1);
  record.searches = flags.searches > 0  ? flags.searches
                    : list.searches > 0 ? list.searches
                                        : static_cast<int>(2 * places);
  KGEN_CHECK(add_items(list, flags.what, record));
  return record;
}

Result<std::optional<double>> own_dollars(const batch::BatchRecord& record, const batch::Item& item,
                                          const FlagValues& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(item_flags(record, item.spec, flags)));
  return loaded.config.dollars > 0 ? std::optional(loaded.config.dollars) : std::nullopt;
}

/// Items that have not come to their own end; with `only_failed` those that ended without success.
bool to_do(const batch::BatchState& state, const batch::Item& item, bool only_failed) {
  const auto end = state.ended.find(item.number);
  const bool open = end == state.ended.end() || state.started.contains(item.number);
  if (only_failed) return !open && end->second.code != core::ExitCode::ok;
  return open || !end->second.finished();
}

Result<std::vector<batch::WorkItem>> work_of(const batch::BatchRecord& record, const batch::BatchState& state,
                                             const BatchFlags& flags, const FlagValues& given) {
  std::vector<batch::WorkItem> items;
  for (const batch::Item& item : record.items) {
    if (!to_do(state, item, flags.only_failed)) continue;
    KGEN_TRY(const std::optional<double> dollars, own_dollars(record, item, given));
    items.push_back({&item, dollars});
  }
  return items;
}

Result<CommandResult> dry_run(const batch::BatchRecord& record, const std::vector<batch::WorkItem>& items,
                              const FlagValues& given) {
  std::vector<PlannedItem> planned;
  for (const batch::WorkItem& work : items) {
    KGEN_TRY(const config::LoadedConfig loaded, load_settings(item_flags(record, work.item->spec, given)));
    KGEN_TRY(const core::SearchOptions search, with_settings({}, loaded.config, kSearchSettings));
    planned.push_back({*work.item, core::text_of(search.target), search.budget.candidates, work.own_dollars});
  }
  CommandResult result;
  result.text = plan_text(planned, record);
  result.json = document("batch", plan_json(planned, record));
  return result;
}

Result<CommandResult> start_batch(const BatchFlags& flags) {
  if (flags.only_failed)
    return fail(ErrorKind::bad_input, "--only-failed goes on with a batch, and " + flags.what + " is a list",
                "name the directory of the batch");
  KGEN_TRY(const std::string text, util::read_file(flags.what));
  KGEN_TRY(batch::BatchRecord record, new_batch(flags, text));
  KGEN_TRY(std::vector<batch::WorkItem> items, work_of(record, {}, flags, {}));
  if (flags.dry_run) return dry_run(record, items, {});
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(item_flags(record, {}, {})));
  KGEN_TRY(const batch::BatchPaths paths, batch::create_batch(loaded.config.runs, record, text));
  KGEN_TRY(batch::BatchJournal journal, batch::BatchJournal::open(paths));
  return run_batch_session(record, paths, journal, std::move(items), {});
}

Result<CommandResult> resume_batch(const BatchFlags& flags) {
  const batch::BatchPaths paths{flags.what};
  KGEN_TRY(batch::BatchRecord record, batch::read_batch_record(paths));
  if (flags.total_dollars) record.dollars = flags.total_dollars;
  if (flags.searches > 0) record.searches = flags.searches;
  KGEN_TRY(batch::BatchState state, batch::read_batch_state(paths));
  if (flags.dry_run) {
    KGEN_TRY(const auto items, work_of(record, state, flags, *flags.settings));
    return dry_run(record, items, *flags.settings);
  }
  KGEN_TRY(batch::BatchJournal journal, batch::BatchJournal::open(paths));
  KGEN_TRY(auto items, work_of(record, journal.state(), flags, *flags.settings));
  return run_batch_session(record, paths, journal, std::move(items), *flags.settings);
}

Result<CommandResult> run_batch_command(const BatchFlags& flags) {
  std::error_code ignored;
  return fs::is_directory(flags.what, ignored) ? resume_batch(flags) : start_batch(flags);
}

}  // namespace

void add_batch(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "batch", "Search for many kernels, several at once",
                  "  kgen batch ops.toml --dry-run                  the tasks it makes, and their limits\n"
                  "  kgen batch ops.toml --total-dollars 20         docs/batch.md shows the format\n"
                  "  kgen batch runs/batch-ops-20260102-030405      go on with what has not come to its end\n"
                  "  kgen batch runs/batch-ops-20260102-030405 --only-failed --candidates 30");
  auto flags = std::make_shared<BatchFlags>();
  command->add_option("LIST", flags->what, "a list of tasks (TOML), or the directory of a batch")->required();
  command->add_flag("--dry-run", flags->dry_run, "say what would be done, start nothing");
  command->add_flag("--only-failed", flags->only_failed, "of a batch: the tasks that ended without success");
  command->add_option("--searches", flags->searches, "tasks searched for at once")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  command->add_option("--total-dollars", flags->total_dollars, "most dollars to spend on all tasks together")
      ->type_name("X")
      ->check(positive_number());
  add_seed_flag(*command, flags->seed, "every run's seed follows from it");
  flags->settings = add_setting_flags(
      *command, together({kWorkerSettings, kProviderSettings, kSearchSettings, {"runs", "prompts", "ops"}}));
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_batch_command(*flags); }; });
}

}  // namespace kgen::cli
