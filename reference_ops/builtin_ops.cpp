#include "reference_ops/builtin_ops.hpp"

#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> reference_ops();
}

namespace kgen::reference_ops {

std::string_view embedded_file(std::string_view name) {
  for (const auto& file : embedded::reference_ops()) {
    if (file.name == name) return file.text;
  }
  return {};
}

std::vector<std::string> embedded_files(std::string_view prefix) {
  std::vector<std::string> names;
  for (const auto& file : embedded::reference_ops()) {
    if (file.name.starts_with(prefix)) names.emplace_back(file.name);
  }
  return names;
}

namespace {

constexpr std::string_view kSpec = "/op.toml";

/// The spec of the op in that folder. Precondition: the folder is embedded.
Result<core::Op> read_embedded(const std::string& folder) {
  const std::string spec = folder + std::string(kSpec);
  return core::parse_op(embedded_file(spec), embedded_file(folder + "/reference.cu"), spec);
}

std::vector<std::string> op_folders() {
  std::vector<std::string> folders;
  for (const auto& file : embedded::reference_ops())
    if (file.name.ends_with(kSpec))
      folders.emplace_back(file.name.substr(0, file.name.size() - kSpec.size()));
  return folders;
}

}  // namespace

Result<std::vector<core::Op>> builtin_ops() {
  std::vector<core::Op> ops;
  for (const std::string& folder : op_folders()) {
    KGEN_TRY(auto op, read_embedded(folder));
    ops.push_back(std::move(op));
  }
  return ops;
}

Result<std::shared_ptr<const core::Op>> find_builtin_op(std::string_view name) {
  // A folder has its op's name (a test says so), so that one spec of many is read.
  const std::vector<std::string> folders = op_folders();
  std::string known;
  for (const std::string& folder : folders) {
    if (folder == name) {
      KGEN_TRY(auto op, read_embedded(folder));
      return std::make_shared<const core::Op>(std::move(op));
    }
    known += (known.empty() ? "" : ", ") + folder;
  }
  return fail(ErrorKind::bad_input, "unknown op '" + std::string(name) + "'", "the ops are: " + known);
}

}  // namespace kgen::reference_ops
