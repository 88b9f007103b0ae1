#include "agent/draft_folder.hpp"

#include <system_error>
#include <utility>

#include "core/json_fields.hpp"
#include "core/protocol.hpp"
#include "util/home_folder.hpp"

namespace kgen::agent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kDraftSchema = 1;

std::string dumped(const json& content) {
  return util::shorten_home(content.dump(2, ' ', false, json::error_handler_t::replace)) + "\n";
}

Result<DraftState> read_draft_state(const fs::path& journal) {
  KGEN_TRY(const std::vector<std::string> lines, util::read_lines(journal));
  DraftState state;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto event = draft_event_from_line(lines[i]);
    if (!event)
      return fail(ErrorKind::bad_input,
                  journal.string() + ", line " + std::to_string(i + 1) + ": " + event.error().message,
                  "the journal was edited, or a newer kgen wrote it");
    apply(state, *event);
  }
  return state;
}

}  // namespace

Result<DraftPaths> create_draft(const fs::path& parent, DraftRecord& record) {
  KGEN_TRY(const fs::path folder, make_unique_folder(parent, "draft-" + util::compact_now_text()));
  record.name = folder.filename().string();
  record.created_at = util::utc_now_text();
  const json content{{"schema", kDraftSchema},
                     {"name", record.name},
                     {"created_at", record.created_at},
                     {"description", record.description},
                     {"provider", record.provider},
                     {"model", record.model},
                     {"seed", record.seed},
                     {"quick", record.quick},
                     {"config", record.config}};
  DraftPaths paths{folder};
  KGEN_CHECK(util::write_file_atomic(paths.record(), dumped(content)));
  return paths;
}

Result<DraftRecord> read_draft_record(const DraftPaths& paths) {
  std::error_code ignored;
  if (!fs::exists(paths.record(), ignored))
    return fail(ErrorKind::bad_input, paths.root.string() + " is no draft: it has no draft.json",
                "name a folder that `kgen ops draft` made");
  KGEN_TRY(const std::string text, util::read_file(paths.record()));
  KGEN_TRY(const json in, core::parse_json(text, paths.record().string()));
  return core::read_json(paths.record().string(), [&] {
    DraftRecord record;
    record.name = in.at("name").get<std::string>();
    record.created_at = in.at("created_at").get<std::string>();
    record.description = in.at("description").get<std::string>();
    record.provider = in.at("provider").get<std::string>();
    record.model = in.at("model").get<std::string>();
    record.seed = in.at("seed").get<std::uint64_t>();
    record.quick = in.at("quick").get<bool>();
    record.config = in.at("config").get<std::string>();
    return record;
  });
}

Result<prompt::DraftFiles> read_draft_files(const DraftPaths& paths, int candidate) {
  prompt::DraftFiles files;
  KGEN_TRY(files.op_toml, util::read_file(paths.op(candidate) / "op.toml"));
  KGEN_TRY(files.reference_cu, util::read_file(paths.op(candidate) / "reference.cu"));
  return files;
}

Status write_draft_files(const DraftPaths& paths, int candidate, const prompt::DraftFiles& files) {
  KGEN_CHECK(util::write_file_atomic(paths.op(candidate) / "op.toml", files.op_toml));
  return util::write_file_atomic(paths.op(candidate) / "reference.cu", files.reference_cu);
}

Result<std::vector<core::Finding>> read_draft_findings(const DraftPaths& paths, int candidate) {
  KGEN_TRY(const std::string text, util::read_file(paths.findings(candidate)));
  KGEN_TRY(const json in, core::parse_json(text, paths.findings(candidate).string()));
  KGEN_TRY(core::ProofReply found, core::proof_reply_from_json(in));
  return std::move(found.findings);
}

Status write_draft_findings(const DraftPaths& paths, int candidate,
                            const std::vector<core::Finding>& findings) {
  return util::write_file_atomic(paths.findings(candidate),
                                 dumped(core::to_json(core::ProofReply{findings})));
}

DraftJournal::DraftJournal(util::FolderLock lock, util::AppendFile file, DraftRecord record, DraftState state)
    : lock_(std::move(lock)),
      file_(std::move(file)),
      record_(std::move(record)),
      state_(std::move(state)),
      before_s_(state_.calls.active_s) {}

Result<DraftJournal> DraftJournal::open(const DraftPaths& paths) {
  KGEN_TRY(DraftRecord record, read_draft_record(paths));
  KGEN_TRY(util::FolderLock lock, util::FolderLock::acquire(paths.root));
  KGEN_TRY(util::AppendFile file, util::AppendFile::open(paths.calls().journal()));
  KGEN_TRY(DraftState state, read_draft_state(paths.calls().journal()));
  return DraftJournal(std::move(lock), std::move(file), std::move(record), std::move(state));
}

Status DraftJournal::add(DraftEventBody body) {
  DraftEvent event{util::utc_now_text(), before_s_ + session_.elapsed_s(), std::move(body)};
  // What later sessions will read is what this one goes on with.
  const std::string line = util::shorten_home(journal_line(event));
  KGEN_TRY(event, draft_event_from_line(line));
  KGEN_CHECK(file_.append_line(line));
  apply(state_, event);
  return {};
}

}  // namespace kgen::agent
