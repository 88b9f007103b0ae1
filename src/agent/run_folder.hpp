#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/run_state.hpp"
#include "core/sweep.hpp"
#include "llm/client.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen::agent {

/// Names of the files of one run, relative to its folder; nothing in a run directory holds an absolute path.
struct RunPaths {
  std::filesystem::path root;

  std::filesystem::path record() const { return root / "run.json"; }
  std::filesystem::path journal() const { return root / "events.jsonl"; }
  std::filesystem::path best() const { return root / "best.cu"; }
  std::filesystem::path candidate(int number) const;  ///< candidates/0007
  std::filesystem::path prompt(int number) const { return candidate(number) / "prompt.md"; }
  std::filesystem::path reply(int number) const { return candidate(number) / "reply.md"; }
  /// First part of a reply that was cut off by length.
  std::filesystem::path reply_part(int number) const { return candidate(number) / "reply-part1.md"; }
  std::filesystem::path kernel(int number) const { return candidate(number) / "kernel.cu"; }
  std::filesystem::path sweep(int number) const { return candidate(number) / "sweep.json"; }
  /// evaluation.json (screen) or promotion.json.
  std::filesystem::path evaluation(int number, core::Tier tier) const;
};

/// "softmax-bf16-8192x8192-20260102-030405".
std::string run_name(const core::Task& task, std::string_view compact_time);

/// Makes PARENT/NAME (with -2, -3, ... where the name is taken) and writes run.json; `record.name` becomes
/// the folder's. Errors: missing where the folder cannot be written.
Result<RunPaths> create_run(const std::filesystem::path& parent, core::RunRecord& record);

/// The same in a folder of the caller's choice, which is made where it is missing.
Result<RunPaths> create_run_in(const std::filesystem::path& folder, core::RunRecord& record);
/// Makes the first of PARENT/NAME, NAME-2, NAME-3, ... that does not exist: create_directory tells who was
/// first. Errors: missing where the folder cannot be written.
Result<std::filesystem::path> make_unique_folder(const std::filesystem::path& parent,
                                                 const std::string& name);

/// run.json of a run. Errors: bad_input where the folder is no run directory, or a newer kgen's.
Result<core::RunRecord> read_run_record(const RunPaths& paths);
/// Complete events of the journal. Errors: bad_input naming the line.
Result<std::vector<core::Event>> read_events(const RunPaths& paths);
/// Record and state of a run as they lie there, without locking it: for `show` and reports.
struct StoredRun {
  core::RunRecord record;
  std::vector<core::Event> events;
  core::RunState state;
};
Result<StoredRun> read_run(const RunPaths& paths);

/// A candidate's evaluation. Errors: bad_input or missing.
Result<core::Evaluation> read_evaluation(const RunPaths& paths, int number, core::Tier tier);
Status write_evaluation(const RunPaths& paths, int number, const core::Evaluation& evaluation);
/// What became of its variants. Errors: as read_evaluation.
Result<core::SweepRecord> read_sweep(const RunPaths& paths, int number);
Status write_sweep(const RunPaths& paths, int number, const core::SweepRecord& sweep);
/// A candidate's kernel.cu as it goes on: with the tunables that a sweep chose as the plan's defaults.
Result<std::string> read_tuned_kernel(const RunPaths& paths, const core::CandidateState& candidate);
/// The prompt in a candidate's folder as system and user part again.
Result<llm::Prompt> read_prompt(const RunPaths& paths, int number);

/// The one writer of a run: holds its lock, appends events and folds them into the state.
class Journal {
 public:
  /// Opens an existing run. Errors: bad_input where another process holds it or the folder is no run.
  static Result<Journal> open(const RunPaths& paths);

  /// Appends and applies; the state changes only where the line is safely on disk.
  Status add(core::EventBody body);
  const core::RunState& state() const { return state_; }
  const core::RunRecord& record() const { return record_; }
  bool is_new() const { return new_; }
  const core::Event& last() const { return last_; }

 private:
  Journal(util::FolderLock lock, util::AppendFile file, core::RunRecord record, core::RunState state,
          bool is_new);

  util::FolderLock lock_;
  util::AppendFile file_;
  core::RunRecord record_;
  core::RunState state_;
  core::Event last_;
  double before_s_ = 0;  ///< active seconds of earlier sessions
  util::Stopwatch session_;
  bool new_ = false;
};

}  // namespace kgen::agent
