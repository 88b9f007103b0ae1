#include "agent/transcript_writer.hpp"

#include <system_error>

#include "llm/transcript.hpp"

namespace kgen::agent {
namespace {

namespace fs = std::filesystem;

std::string model_of(const StoredRun& run) {
  for (const core::CandidateState& candidate : run.state.candidates) {
    if (!candidate.model.empty()) return candidate.model;
  }
  return run.record.model.empty() ? "unknown" : run.record.model;
}

}  // namespace

Status write_transcript_of(const RunPaths& paths, const fs::path& folder, const std::string& model,
                           const std::string& note) {
  KGEN_TRY(const StoredRun run, read_run(paths));
  std::error_code ignored;
  if (fs::exists(folder / "transcript.json", ignored))
    return fail(ErrorKind::bad_input, folder.string() + " holds a transcript already", "name a new folder");
  if (run.state.provider == "replay")
    return fail(ErrorKind::bad_input, paths.root.string() + " is a replay",
                "record a run that asked a model");
  llm::Transcript transcript;
  transcript.folder = folder;
  transcript.op = run.record.task.op->name;
  transcript.dims = run.record.task.dims;
  transcript.attributes = run.record.task.attributes;
  transcript.dtype = core::name_of(run.record.task.dtype);
  transcript.device = run.state.device.name;
  transcript.date = run.record.created_at.substr(0, 10);
  transcript.model = model.empty() ? model_of(run) : model;
  transcript.note = note;
  for (const core::CandidateState& candidate : run.state.candidates) {
    if (candidate.open() || !fs::exists(paths.reply(candidate.number), ignored)) continue;
    const int number = static_cast<int>(transcript.prompt_hashes.size()) + 1;
    KGEN_TRY(const std::string reply, util::read_file(paths.reply(candidate.number)));
    KGEN_CHECK(util::write_file_atomic(llm::transcript_reply_path(folder, number), reply));
    transcript.prompt_hashes.push_back(candidate.prompt_hash);
  }
  if (transcript.prompt_hashes.empty())
    return fail(ErrorKind::bad_input, paths.root.string() + " has no reply yet",
                "let the run answer a prompt first");
  return llm::write_transcript(transcript);
}

}  // namespace kgen::agent
