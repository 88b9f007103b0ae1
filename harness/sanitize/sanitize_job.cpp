#include "harness/sanitize/sanitize_job.hpp"

#include "harness/run/messages.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::sanitize {
namespace {

using nlohmann::json;

/// Bytes that stand one behind the other in one file.
class Blob {
 public:
  json put(const std::string& bytes) {
    const std::size_t at = text_.size();
    text_ += bytes;
    return {at, bytes.size()};
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string take(const std::string& blob, const json& place) {
  const auto at = place.at(0).get<std::size_t>(), size = place.at(1).get<std::size_t>();
  if (at > blob.size() || size > blob.size() - at)
    throw std::out_of_range("a place behind the end of job.bin");
  return blob.substr(at, size);
}

json write_case(const JobCase& one, Blob& blob) {
  json buffers = json::array();
  for (const JobBuffer& buffer : one.buffers)
    buffers.push_back({{"name", buffer.name}, {"bytes", buffer.bytes}, {"data", blob.put(buffer.data)}});
  return {{"title", one.title},
          {"program", one.program},
          {"sequence", run::to_json(one.sequence)},
          {"buffers", std::move(buffers)}};
}

JobCase read_case(const json& in, const std::string& blob) {
  JobCase out;
  in.at("title").get_to(out.title);
  in.at("program").get_to(out.program);
  out.sequence = run::sequence_from_json(in.at("sequence"));
  for (const json& buffer : in.at("buffers"))
    out.buffers.push_back({buffer.at("name"), buffer.at("bytes"), take(blob, buffer.at("data"))});
  return out;
}

}  // namespace

Status write_job(const std::filesystem::path& folder, const Job& job) {
  Blob blob;
  json programs = json::array(), cases = json::array();
  for (const JobProgram& program : job.programs) {
    json kernels = json::array();
    for (const auto& kernel : program.kernels) kernels.push_back(run::to_json(kernel));
    programs.push_back({{"cubin", blob.put(program.cubin)}, {"kernels", std::move(kernels)}});
  }
  for (const JobCase& one : job.cases) cases.push_back(write_case(one, blob));
  KGEN_CHECK(util::write_file_atomic(folder / "job.bin", blob.text()));
  return util::write_file_atomic(
      folder / "job.json",
      json{{"device", job.device}, {"programs", std::move(programs)}, {"cases", std::move(cases)}}.dump());
}

Result<Job> read_job(const std::filesystem::path& folder) {
  KGEN_TRY(const std::string text, util::read_file(folder / "job.json"));
  KGEN_TRY(const std::string blob, util::read_file(folder / "job.bin"));
  try {
    const json in = json::parse(text);
    Job job;
    in.at("device").get_to(job.device);
    for (const json& program : in.at("programs")) {
      job.programs.push_back({take(blob, program.at("cubin")),
                              run::list_from_json(program.at("kernels"), run::kernel_from_json)});
    }
    for (const json& one : in.at("cases")) job.cases.push_back(read_case(one, blob));
    return job;
  } catch (const std::exception& e) {
    return fail(ErrorKind::bad_input, (folder / "job.json").string() + ": " + e.what());
  }
}

}  // namespace kgen::sanitize
