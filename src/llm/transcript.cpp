#include "llm/transcript.hpp"

#include <cstdio>

#include "llm/json_fields.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kSchema = 1;
constexpr const char* kFileName = "transcript.json";

}  // namespace

fs::path transcript_reply_path(const fs::path& folder, int candidate) {
  char name[16];
  std::snprintf(name, sizeof(name), "%04d", candidate);
  return folder / name / "reply.md";
}

Result<Transcript> read_transcript(const fs::path& folder) {
  const fs::path path = folder / kFileName;
  KGEN_TRY(const std::string text, util::read_file(path));
  const auto bad = [&](const std::string& what) {
    return fail(ErrorKind::bad_input, path.string() + ": " + what, "docs/providers.md shows the format");
  };
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object()) return bad("not a JSON object");
  if (json_count(root, "schema") != kSchema) return bad("\"schema\" must be 1");
  Transcript transcript;
  transcript.folder = folder;
  transcript.op = json_text(root, "op");
  transcript.dtype = json_text(root, "dtype");
  transcript.model = json_text(root, "model");
  transcript.device = json_text(root, "device");
  transcript.date = json_text(root, "date");
  transcript.note = json_text(root, "note");
  if (const json& dims = json_member(root, "dims"); dims.is_object()) {
    for (const auto& [name, size] : dims.items()) {
      if (!size.is_number_integer()) return bad("\"dims\": \"" + name + "\" must be an integer");
      transcript.dims[name] = size.get<std::int64_t>();
    }
  }
  if (const json& attributes = json_member(root, "attributes"); attributes.is_object()) {
    for (const auto& [name, value] : attributes.items()) {
      if (!value.is_number()) return bad("\"attributes\": \"" + name + "\" must be a number");
      transcript.attributes[name] = value.get<double>();
    }
  }
  const json& replies = json_member(root, "replies");
  if (!replies.is_array()) return bad("\"replies\" must be a list with one object a reply");
  for (const json& reply : replies) transcript.prompt_hashes.push_back(json_text(reply, "prompt_hash"));
  return transcript;
}

Status write_transcript(const Transcript& transcript) {
  nlohmann::ordered_json replies = nlohmann::ordered_json::array();
  for (const std::string& hash : transcript.prompt_hashes) replies.push_back({{"prompt_hash", hash}});
  nlohmann::ordered_json root = {{"schema", kSchema},           {"op", transcript.op},
                                 {"dims", transcript.dims},     {"attributes", transcript.attributes},
                                 {"dtype", transcript.dtype},   {"model", transcript.model},
                                 {"device", transcript.device}, {"date", transcript.date},
                                 {"note", transcript.note},     {"replies", std::move(replies)}};
  return util::write_file_atomic(transcript.folder / kFileName,
                                 root.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace kgen::llm
