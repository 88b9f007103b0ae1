#include "cli/embedded_transcript.hpp"

#include <set>

#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

/// Names of the op's transcripts: "softmax/transcripts/h200".
std::set<std::string> transcripts_of(const std::string& op) {
  constexpr std::string_view kRecord = "/transcript.json";
  std::set<std::string> names;
  for (const std::string& file : reference_ops::embedded_files(op + "/transcripts/"))
    if (file.ends_with(kRecord)) names.insert(file.substr(0, file.size() - kRecord.size()));
  return names;
}

bool was_recorded_for(const std::string& name, const core::Task& task) {
  const auto record =
      nlohmann::json::parse(reference_ops::embedded_file(name + "/transcript.json"), nullptr, false);
  return record.is_object() && record.value("dtype", nlohmann::json()) == core::name_of(task.dtype) &&
         record.value("dims", nlohmann::json()) == nlohmann::json(task.dims) &&
         record.value("attributes", nlohmann::json::object()) == nlohmann::json(task.attributes);
}

}  // namespace

Result<EmbeddedTranscript> unpack_transcript(const core::Task& task) {
  const std::set<std::string> names = transcripts_of(task.op->name);
  if (names.empty())
    return fail(ErrorKind::bad_input, "kgen has no recorded transcript of " + task.op->name,
                "name one of your own with --transcript DIR");
  std::string chosen = *names.begin();
  for (const std::string& name : names)
    if (was_recorded_for(name, task)) chosen = name;
  KGEN_TRY(util::TemporaryFolder folder, util::TemporaryFolder::create("kgen-transcript"));
  for (const std::string& file : reference_ops::embedded_files(chosen + "/"))
    KGEN_CHECK(util::write_file_atomic(folder.path() / file.substr(chosen.size() + 1),
                                       reference_ops::embedded_file(file)));
  return EmbeddedTranscript{std::move(folder), chosen};
}

}  // namespace kgen::cli
