#include "agent/run_folder.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/json_fields.hpp"
#include "core/plan_defaults.hpp"
#include "util/home_folder.hpp"
#include "util/json.hpp"

namespace kgen::agent {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNames = 1000;
constexpr std::string_view kPromptRule = "\n\n---\n\n";

}  // namespace

fs::path RunPaths::candidate(int number) const {
  std::string name = std::to_string(number);
  if (name.size() < 4) name.insert(0, 4 - name.size(), '0');
  return root / "candidates" / name;
}

fs::path RunPaths::evaluation(int number, core::Tier tier) const {
  return candidate(number) / (tier == core::Tier::screen ? "evaluation.json" : "promotion.json");
}

Result<fs::path> make_unique_folder(const fs::path& parent, const std::string& name) {
  std::error_code error;
  fs::create_directories(parent, error);
  for (int attempt = 1; attempt <= kMostNames && !error; ++attempt) {
    fs::path folder = parent / (attempt == 1 ? name : name + "-" + std::to_string(attempt));
    if (fs::create_directory(folder, error)) return folder;
    if (error == std::errc::file_exists) error.clear();
  }
  const std::string why = error ? error.message() : "every name is taken";
  return fail(ErrorKind::missing, "cannot make a run directory in " + parent.string() + ": " + why,
              "name a folder that can be written with --runs");
}

std::string run_name(const core::Task& task, std::string_view compact_time) {
  std::string dims;
  for (const std::string& name : task.op->dim_names) {
    if (const auto dim = task.dims.find(name); dim != task.dims.end())
      dims += (dims.empty() ? "" : "x") + std::to_string(dim->second);
  }
  return task.op->name + "-" + std::string(core::name_of(task.dtype)) + "-" +
         (dims.empty() ? "" : dims + "-") + std::string(compact_time);
}

Result<RunPaths> create_run(const fs::path& parent, core::RunRecord& record) {
  const std::string name =
      record.name.empty() ? run_name(record.task, util::compact_now_text()) : record.name;
  KGEN_TRY(const fs::path folder, make_unique_folder(parent, name));
  return create_run_in(folder, record);
}

Result<RunPaths> create_run_in(const fs::path& folder, core::RunRecord& record) {
  if (record.created_at.empty()) record.created_at = util::utc_now_text();
  record.name = folder.filename().string();
  RunPaths paths{folder};
  if (const Status written =
          util::write_file_atomic(paths.record(), util::shorten_home(core::to_json(record).dump(2)) + "\n");
      !written) {
    std::error_code ignored;
    fs::remove(folder, ignored);  // it holds nothing yet
    return tl::unexpected(written.error());
  }
  return paths;
}

Result<core::RunRecord> read_run_record(const RunPaths& paths) {
  std::error_code ignored;
  if (!fs::exists(paths.record(), ignored)) {
    return fail(ErrorKind::bad_input, paths.root.string() + " is no run directory: it has no run.json",
                "name a folder that `kgen generate` made");
  }
  KGEN_TRY(const std::string text, util::read_file(paths.record()));
  KGEN_TRY(const nlohmann::json json, core::parse_json(text, paths.record().string()));
  auto record = core::run_record_from_json(json);
  if (!record) {
    return fail(ErrorKind::bad_input, paths.root.string() + ": " + record.error().message,
                "run.json was edited, or a newer kgen wrote it");
  }
  return record;
}

Result<std::vector<core::Event>> read_events(const RunPaths& paths) {
  KGEN_TRY(const std::vector<std::string> lines, util::read_lines(paths.journal()));
  std::vector<core::Event> events;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto event = core::event_from_line(lines[i]);
    if (!event) {
      return fail(ErrorKind::bad_input,
                  paths.journal().string() + ", line " + std::to_string(i + 1) + ": " + event.error().message,
                  "the journal was edited, or a newer kgen wrote it");
    }
    events.push_back(std::move(*event));
  }
  return events;
}

Result<StoredRun> read_run(const RunPaths& paths) {
  StoredRun run;
  KGEN_TRY(run.record, read_run_record(paths));
  KGEN_TRY(run.events, read_events(paths));
  run.state = core::fold(run.record, run.events);
  return run;
}

Result<core::Evaluation> read_evaluation(const RunPaths& paths, int number, core::Tier tier) {
  const fs::path path = paths.evaluation(number, tier);
  KGEN_TRY(const std::string text, util::read_file(path));
  KGEN_TRY(const nlohmann::json json, core::parse_json(text, path.string()));
  return core::evaluation_from_json(json);
}

Status write_evaluation(const RunPaths& paths, int number, const core::Evaluation& evaluation) {
  const std::string text =
      core::to_json(evaluation).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  return util::write_file_atomic(paths.evaluation(number, evaluation.tier), util::shorten_home(text) + "\n");
}

Result<core::SweepRecord> read_sweep(const RunPaths& paths, int number) {
  KGEN_TRY(const std::string text, util::read_file(paths.sweep(number)));
  KGEN_TRY(const nlohmann::json json, core::parse_json(text, paths.sweep(number).string()));
  return core::sweep_record_from_json(json);
}

Status write_sweep(const RunPaths& paths, int number, const core::SweepRecord& sweep) {
  const std::string text = core::to_json(sweep).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  return util::write_file_atomic(paths.sweep(number), util::shorten_home(text) + "\n");
}

Result<std::string> read_tuned_kernel(const RunPaths& paths, const core::CandidateState& candidate) {
  KGEN_TRY(std::string source, util::read_file(paths.kernel(candidate.number)));
  if (candidate.variant.empty()) return source;
  auto tuned = core::with_defaults(source, candidate.variant);
  if (tuned) return std::move(*tuned);
  return fail(ErrorKind::bad_input, paths.kernel(candidate.number).string() + ": " + tuned.error().text(),
              "the file is not the one that was judged");
}

Result<llm::Prompt> read_prompt(const RunPaths& paths, int number) {
  KGEN_TRY(const std::string text, util::read_file(paths.prompt(number)));
  const auto rule = text.find(kPromptRule);
  if (rule == std::string::npos) return llm::Prompt{"", text};
  return llm::Prompt{text.substr(0, rule), text.substr(rule + kPromptRule.size())};
}

Journal::Journal(util::FolderLock lock, util::AppendFile file, core::RunRecord record, core::RunState state,
                 bool is_new)
    : lock_(std::move(lock)),
      file_(std::move(file)),
      record_(std::move(record)),
      state_(std::move(state)),
      before_s_(state_.active_s),
      new_(is_new) {}

Result<Journal> Journal::open(const RunPaths& paths) {
  KGEN_TRY(core::RunRecord record, read_run_record(paths));
  KGEN_TRY(util::FolderLock lock, util::FolderLock::acquire(paths.root));
  KGEN_TRY(util::AppendFile file, util::AppendFile::open(paths.journal()));
  KGEN_TRY(const std::vector<core::Event> events, read_events(paths));
  core::RunState state = core::fold(record, events);
  return Journal(std::move(lock), std::move(file), std::move(record), std::move(state), events.empty());
}

Status Journal::add(core::EventBody body) {
  core::Event event{util::utc_now_text(), before_s_ + session_.elapsed_s(), std::move(body)};
  // What later sessions will read is what this one goes on with.
  const std::string line = util::shorten_home(core::journal_line(event));
  KGEN_TRY(event, core::event_from_line(line));
  KGEN_CHECK(file_.append_line(line));
  core::apply(state_, event);
  last_ = std::move(event);
  return {};
}

}  // namespace kgen::agent
