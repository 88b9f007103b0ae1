#include "cli/report_input.hpp"

#include "agent/run_folder.hpp"
#include "batch/batch_journal.hpp"
#include "cli/batch_text.hpp"

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Result<std::string> text_of(const fs::path& path) {
  return is_there(path) ? util::read_file(path) : Result<std::string>();
}

Result<std::optional<core::Evaluation>> evaluation_of(const agent::RunPaths& paths, int number,
                                                      core::Tier tier) {
  if (!is_there(paths.evaluation(number, tier))) return std::nullopt;
  KGEN_TRY(core::Evaluation evaluation, agent::read_evaluation(paths, number, tier));
  return evaluation;
}

Result<report::CandidateFiles> files_of(const agent::RunPaths& paths, const core::CandidateState& candidate) {
  const int number = candidate.number;
  report::CandidateFiles files;
  if (is_there(paths.prompt(number))) {
    KGEN_TRY(const llm::Prompt prompt, agent::read_prompt(paths, number));
    files.prompt_system = prompt.system;
    files.prompt_user = prompt.user;
  }
  KGEN_TRY(files.reply, text_of(paths.reply(number)));
  KGEN_TRY(files.kernel, text_of(paths.kernel(number)));
  // After a change of device old evaluations and sweeps may lie there still: the journal says which count.
  if (candidate.screen) {
    KGEN_TRY(files.screen, evaluation_of(paths, number, core::Tier::screen));
  }
  if (candidate.promotion) {
    KGEN_TRY(files.promotion, evaluation_of(paths, number, core::Tier::promotion));
  }
  if (candidate.swept && is_there(paths.sweep(number))) {
    KGEN_TRY(files.sweep, agent::read_sweep(paths, number));
  }
  return files;
}

}  // namespace

Result<report::ReportRun> read_report_run(const fs::path& folder) {
  const agent::RunPaths paths{folder};
  KGEN_TRY(agent::StoredRun stored, agent::read_run(paths));
  report::ReportRun run{std::move(stored.record), std::move(stored.state), {}};
  for (const core::CandidateState& candidate : run.state.candidates) {
    KGEN_TRY(report::CandidateFiles files, files_of(paths, candidate));
    run.files.push_back(std::move(files));
  }
  return run;
}

Result<report::ReportBatch> read_report_batch(const fs::path& folder) {
  const batch::BatchPaths paths{folder};
  KGEN_TRY(const batch::BatchRecord record, batch::read_batch_record(paths));
  KGEN_TRY(const batch::BatchState state, batch::read_batch_state(paths));
  report::ReportBatch batch{record.name, record.created_at, {}};
  for (const batch::Item& item : record.items) {
    report::ReportItem row{item.number, item.task, standing(state, item), {}, std::nullopt};
    if (const auto end = state.ended.find(item.number); end != state.ended.end())
      row.problem = end->second.problem;
    if (is_there(agent::RunPaths{paths.run(item)}.record())) {
      KGEN_TRY(row.run, read_report_run(paths.run(item)));
      row.task = core::describe(row.run->record.task);
      // Runs of a batch lie below it: commands in the report name them so.
      row.run->record.name = record.name + "/runs/" + item.folder;
    }
    batch.items.push_back(std::move(row));
  }
  return batch;
}

}  // namespace kgen::cli
