#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agent/draft_state.hpp"
#include "agent/run_folder.hpp"
#include "core/proof.hpp"
#include "prompt/draft_reply.hpp"

namespace kgen::agent {

/// draft.json: what a draft was begun with; written once.
struct DraftRecord {
  std::string name;         ///< of the folder
  std::string created_at;   ///< UTC
  std::string description;  ///< of the operation, in the person's words
  std::string provider, model;
  std::uint64_t seed = 0;     ///< of every check's inputs
  bool quick = false;         ///< checked at the smallest shapes alone
  std::string config = "{}";  ///< JSON object: what the command line needs to go on (no secret)
};

/// Names of the files of one draft, relative to its folder: those of a run where it has the same.
struct DraftPaths {
  std::filesystem::path root;

  RunPaths calls() const { return {root}; }  ///< prompt.md and reply.md of each candidate, events.jsonl
  std::filesystem::path record() const { return root / "draft.json"; }
  /// The op's folder of a candidate: op.toml, reference.cu.
  std::filesystem::path op(int candidate) const { return calls().candidate(candidate) / "op"; }
  std::filesystem::path findings(int candidate) const {
    return calls().candidate(candidate) / "findings.json";
  }
};

/// Makes PARENT/draft-TIME (with -2, -3, ... where that is taken) and writes draft.json; `record.name`
/// becomes the folder's. Errors: missing where the folder cannot be written.
Result<DraftPaths> create_draft(const std::filesystem::path& parent, DraftRecord& record);
/// Errors: bad_input where the folder is no draft's.
Result<DraftRecord> read_draft_record(const DraftPaths& paths);

/// The files of a candidate's draft. Errors: bad_input or missing.
Result<prompt::DraftFiles> read_draft_files(const DraftPaths& paths, int candidate);
Status write_draft_files(const DraftPaths& paths, int candidate, const prompt::DraftFiles& files);
/// What a candidate's check found. Errors: as read_draft_files.
Result<std::vector<core::Finding>> read_draft_findings(const DraftPaths& paths, int candidate);
Status write_draft_findings(const DraftPaths& paths, int candidate,
                            const std::vector<core::Finding>& findings);

/// The one writer of a draft: holds its lock, appends events and folds them into the state.
class DraftJournal {
 public:
  /// Opens a draft that is there. Errors: bad_input where another process holds it, the folder is no draft's,
  /// or a line cannot be read.
  static Result<DraftJournal> open(const DraftPaths& paths);

  /// Appends and applies; the state changes only where the line is safely on disk.
  Status add(DraftEventBody body);
  const DraftState& state() const { return state_; }
  const DraftRecord& record() const { return record_; }

 private:
  DraftJournal(util::FolderLock lock, util::AppendFile file, DraftRecord record, DraftState state);

  util::FolderLock lock_;
  util::AppendFile file_;
  DraftRecord record_;
  DraftState state_;
  double before_s_ = 0;  ///< active seconds of earlier sessions
  util::Stopwatch session_;
};

}  // namespace kgen::agent
