#include "cli/batch_session.hpp"

#include <utility>

#include "cli/batch_text.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/live_table.hpp"
#include "cli/number_text.hpp"
#include "cli/run_text.hpp"
#include "util/home_folder.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

std::string row_text(const batch::Item& item, const std::string& news) {
  return "[" + std::to_string(item.number) + "] " + item.task + "  " + news;
}

/// Tells of one item's search in its row.
agent::LoopProgress progress_in(LiveTable& table, const batch::Item& item) {
  agent::LoopProgress progress;
  progress.event = [&](const core::Event& event, const core::RunState&) {
    table.set_row(item.number, row_text(item, event_line(event)));
  };
  progress.stage = [&](int candidate, core::Tier, const core::Stage& stage) {
    table.set_row(item.number, row_text(item, "candidate " + std::to_string(candidate) + ": " + stage.name));
  };
  progress.tokens = [&](int candidate, std::int64_t tokens) {
    table.set_row(item.number, row_text(item, "candidate " + std::to_string(candidate) + ": " +
                                                  count_text(tokens) + " tokens so far"));
  };
  return progress;
}

std::string footer_text(const batch::BatchRecord& record, const batch::BatchState& state) {
  double dollars = 0;
  int met = 0;
  for (const auto& [item, end] : state.ended) {
    dollars += end.cost_usd.value_or(0);
    if (end.code == core::ExitCode::ok) ++met;
  }
  std::string text = std::to_string(state.ended.size()) + " of " +
                     plural(static_cast<std::int64_t>(record.items.size()), "task") + " done, " +
                     std::to_string(met) + " met the target, $" + significant(dollars);
  if (record.dollars) text += " of $" + significant(*record.dollars);
  return text;
}

Result<RunningWorker> start_batch_workers(const batch::BatchRecord& record, const FlagValues& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(item_flags(record, {}, flags)));
  const config::Config& config = loaded.config;
  std::vector<std::string> workers = record.workers.empty() ? std::vector{config.worker} : record.workers;
  for (std::string& worker : workers) worker = util::expand_home(worker);
  return start_workers(config, workers, record.devices.empty() ? std::vector{config.device} : record.devices);
}

}  // namespace

Result<CommandResult> run_batch_session(const batch::BatchRecord& record, const batch::BatchPaths& paths,
                                        batch::BatchJournal& journal, std::vector<batch::WorkItem> items,
                                        const FlagValues& flags) {
  KGEN_TRY(RunningWorker worker, start_batch_workers(record, flags));
  std::fprintf(stderr, "kgen: %s on %s, %d at once; batch directory %s\n",
               plural(static_cast<std::int64_t>(items.size()), "task").c_str(),
               device_title(worker.hello.device).c_str(), record.searches, paths.root.c_str());
  const BatchContext context{record, paths, flags, worker};
  batch::BatchEnd end;
  {
    LiveTable table(util::is_terminal(stderr));
    batch::BatchInputs inputs{record, journal, std::move(items), record.searches, {},
                              {},     {},      util::interrupted};
    inputs.run_item = [&](const batch::Item& item, std::optional<double> dollars) {
      return run_item(context, item, dollars, progress_in(table, item));
    };
    inputs.started = [&](const batch::Item& item) { table.set_row(item.number, row_text(item, "starts")); };
    inputs.ended = [&](const batch::Item& item, const batch::ItemEnd& done) {
      table.remove_row(item.number);
      table.say(end_text(item, done));
      table.set_footer(footer_text(record, journal.state()));
    };
    KGEN_TRY(end, batch::run_batch(inputs));
  }
  const BatchSummary summary{record, journal.state(), paths.root, end};
  CommandResult result;
  result.code = end.code;
  result.text = batch_text(summary, util::use_color(stdout));
  result.json = document("batch", batch_json(summary));
  return result;
}

}  // namespace kgen::cli
