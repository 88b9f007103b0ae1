#include "cli/batch_item.hpp"

#include <filesystem>
#include <utility>

#include "cli/run_session.hpp"
#include "cli/search_settings.hpp"
#include "cli/task_flags.hpp"
#include "util/home_folder.hpp"

namespace kgen::cli {
namespace {

TaskFlags task_flags(const batch::TaskSpec& spec) {
  return {util::expand_home(spec.op), spec.dtype, spec.shape, spec.attributes};
}

/// Makes the run's folder with its run.json.
Result<core::RunRecord> begin_run(const BatchContext& context, const batch::Item& item,
                                  const config::Config& config, const SessionModels& models,
                                  const core::Task& task, const core::SearchOptions& search) {
  core::RunRecord record = new_record(task, context.worker.hello, models, search, config);
  record.seed = batch::item_seed(context.record, item.number);
  KGEN_CHECK(agent::create_run_in(context.paths.run(item), record));
  return record;
}

/// What has to be known before a run can go on.
struct Begun {
  core::Task task;
  core::SearchOptions search;
  bool is_new = true;
  bool is_finished = false;
};

Result<Begun> look_at(const BatchContext& context, const batch::Item& item, const config::Config& config) {
  const agent::RunPaths paths{context.paths.run(item)};
  std::error_code ignored;
  if (!std::filesystem::exists(paths.record(), ignored)) {
    KGEN_TRY(core::Task task, task_of(item.spec, config, false));
    KGEN_TRY(task, fit_to_device(task, task_flags(item.spec), context.worker.hello.device));
    KGEN_TRY(const core::SearchOptions search,
             with_settings({}, config, together({kSearchSettings, {"kernel_timeout"}})));
    return Begun{std::move(task), search, true, false};
  }
  KGEN_TRY(const agent::StoredRun run, agent::read_run(paths));
  std::vector<std::string_view> given;
  for (const auto& flag : context.flags) given.push_back(flag.first);
  KGEN_TRY(const core::SearchOptions search, with_settings(run.state.search, config, given));
  return Begun{run.record.task, search, false, run.state.finished.has_value()};
}

Status work_on(const BatchContext& context, const batch::Item& item, std::optional<double> dollars,
               agent::LoopProgress progress) {
  KGEN_TRY(const config::LoadedConfig loaded,
           load_settings(item_flags(context.record, item.spec, context.flags)));
  const config::Config& config = loaded.config;
  KGEN_TRY(Begun begun, look_at(context, item, config));
  // Finished before its end was journaled, or asked to go on with the budget that it has used up.
  if (begun.is_finished && context.flags.empty()) return {};
  begun.search.budget.dollars = dollars;
  KGEN_TRY(SessionModels models, make_models(config, begun.task, begun.search.parallel));
  if (begun.is_new) KGEN_CHECK(begin_run(context, item, config, models, begun.task, begun.search));
  const agent::RunPaths paths{context.paths.run(item)};
  KGEN_TRY(agent::Journal journal, agent::Journal::open(paths));
  KGEN_CHECK(search({paths, config, begun.search, models, context.worker}, journal, std::move(progress)));
  return {};
}

/// What the run directory says of the run, whatever ended its search.
void read_facts(const agent::RunPaths& paths, batch::ItemEnd& end) {
  const auto run = agent::read_run(paths);
  if (!run) return;
  const core::RunState& state = run->state;
  end.task = core::describe(run->record.task);
  end.candidates = static_cast<int>(state.candidates.size());
  end.active_s = state.active_s;
  end.cost_usd = state.ledger.total.cost_usd;
  end.cost_complete = state.ledger.cost_complete;
  if (!state.finished) return;
  end.best = state.finished->best;
  if (end.problem.empty()) {
    end.outcome = core::name_of(state.finished->outcome);
    end.code = core::exit_code_for(state.finished->outcome);
  }
  const core::CandidateState* const best = state.find(end.best);
  if (best == nullptr) return;
  const auto& summary = best->promotion ? best->promotion : best->screen;
  if (!summary || !summary->time) return;
  end.time_us = summary->time->median_us;
  end.speedup = summary->speedup;
  end.speedup_low = summary->speedup_low;
  end.speedup_high = summary->speedup_high;
}

}  // namespace

FlagValues item_flags(const batch::BatchRecord& record, const batch::TaskSpec& spec,
                      const FlagValues& flags) {
  FlagValues all = record.settings;
  for (const auto* more : {&spec.settings, &record.flags, &flags})
    all.insert(all.end(), more->begin(), more->end());
  for (auto& [key, text] : all) text = util::expand_home(text);
  return all;
}

Result<core::Task> task_of(const batch::TaskSpec& spec, const config::Config& config, bool emulated) {
  KGEN_TRY(const core::Task task, task_from_flags(task_flags(spec), config.ops));
  return fit_to_kind(task, task_flags(spec), emulated);
}

batch::ItemEnd run_item(const BatchContext& context, const batch::Item& item, std::optional<double> dollars,
                        agent::LoopProgress progress) {
  batch::ItemEnd end;
  const Status done = work_on(context, item, dollars, std::move(progress));
  if (!done) {
    end.problem = done.error().message;
    end.code = core::exit_code_for(done.error().kind);
  }
  read_facts({context.paths.run(item)}, end);
  return end;
}

}  // namespace kgen::cli
