#include "cli/op_catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "reference_ops/builtin_ops.hpp"
#include "util/closest_names.hpp"
#include "util/file.hpp"

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;

Result<core::Op> read_op(const fs::path& op_toml) {
  KGEN_TRY(const std::string text, util::read_file(op_toml));
  const auto reference = util::read_file(op_toml.parent_path() / "reference.cu");
  if (!reference)
    return fail(
        reference.error().kind, reference.error().message,
        "beside " + op_toml.string() + " lies reference.cu, a naive kernel in the candidate's format");
  return core::parse_op(text, *reference, op_toml.string());
}

Result<std::vector<fs::path>> op_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (fs::exists(entry.path() / "op.toml")) files.push_back(entry.path() / "op.toml");
  if (error)
    return fail(ErrorKind::bad_input,
                "the ops folder " + folder.string() + " cannot be read: " + error.message(),
                "--ops names a folder that holds NAME/op.toml");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<CatalogueEntry>> op_catalogue(const std::string& folder) {
  KGEN_TRY(std::vector<core::Op> builtin, reference_ops::builtin_ops());
  std::map<std::string, CatalogueEntry> entries;
  for (core::Op& op : builtin) {
    const std::string name = op.name;
    entries[name] = {std::make_shared<const core::Op>(std::move(op)), "built in"};
  }
  if (!folder.empty()) {
    KGEN_TRY(const auto files, op_files(folder));
    for (const fs::path& file : files) {
      KGEN_TRY(core::Op op, read_op(file));
      const std::string name = op.name;
      entries[name] = {std::make_shared<const core::Op>(std::move(op)), file.string()};
    }
  }
  std::vector<CatalogueEntry> sorted;
  for (auto& [name, entry] : entries) sorted.push_back(std::move(entry));
  return sorted;
}

Result<std::shared_ptr<const core::Op>> find_op(const std::string& name, const std::string& folder) {
  KGEN_TRY(const auto entries, op_catalogue(folder));
  std::vector<std::string> names;
  for (const auto& entry : entries) {
    if (entry.op->name == name) return entry.op;
    names.push_back(entry.op->name);
  }
  return fail(ErrorKind::bad_input, "unknown op '" + name + "'",
              "the ops are: " + util::closest_names(name, names) + "; --ops DIR adds your own");
}

}  // namespace kgen::cli
