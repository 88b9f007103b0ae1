#include "cli/op_catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/op_folder.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/closest_names.hpp"

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;

/// Name -> op of FOLDER/NAME/op.toml; none where `folder` is empty.
using Entries = std::map<std::string, CatalogueEntry>;

Result<std::vector<fs::path>> op_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (std::error_code broken;
        fs::exists(entry.path() / "op.toml", broken) || broken)  // read_op_folder says why
      files.push_back(entry.path() / "op.toml");
  if (error)
    return fail(ErrorKind::bad_input,
                "the ops folder " + folder.string() + " cannot be read: " + error.message(),
                "--ops names a folder that holds NAME/op.toml");
  std::sort(files.begin(), files.end());
  return files;
}

Result<Entries> own_ops(const std::string& folder) {
  Entries entries;
  if (folder.empty()) return entries;
  KGEN_TRY(const auto files, op_files(folder));
  for (const fs::path& file : files) {
    KGEN_TRY(core::Op op, read_op_folder(file.parent_path()));
    const std::string name = op.name;
    entries[name] = {std::make_shared<const core::Op>(std::move(op)), file.string()};
  }
  return entries;
}

}  // namespace

Result<std::vector<CatalogueEntry>> op_catalogue(const std::string& folder) {
  KGEN_TRY(Entries entries, own_ops(folder));
  KGEN_TRY(std::vector<core::Op> builtin, reference_ops::builtin_ops());
  for (core::Op& op : builtin) {
    const std::string name = op.name;
    entries.try_emplace(name, CatalogueEntry{std::make_shared<const core::Op>(std::move(op)), kBuiltIn});
  }
  std::vector<CatalogueEntry> sorted;
  for (auto& [name, entry] : entries) sorted.push_back(std::move(entry));
  return sorted;
}

Result<CatalogueEntry> find_entry(const std::string& name, const std::string& folder) {
  if (is_op_path(name)) {
    KGEN_TRY(core::Op op, read_op_folder(op_folder(name)));
    return CatalogueEntry{std::make_shared<const core::Op>(std::move(op)),
                          (op_folder(name) / "op.toml").string()};
  }
  KGEN_TRY(const Entries own, own_ops(folder));
  if (const auto found = own.find(name); found != own.end()) return found->second;
  std::vector<std::string> names = reference_ops::builtin_op_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    KGEN_TRY(auto op, reference_ops::find_builtin_op(name));
    return CatalogueEntry{std::move(op), kBuiltIn};
  }
  for (const auto& [own_name, entry] : own) names.push_back(own_name);
  std::error_code ignored;
  const bool is_folder = fs::exists(fs::path(name) / "op.toml", ignored);
  return fail(ErrorKind::bad_input, "unknown op '" + name + "'",
              is_folder ? "the folder of that name here is ./" + name
                        : "the ops are: " + util::closest_names(name, names) +
                              "; your own is named by its folder, ./NAME, or added with --ops DIR");
}

Result<std::shared_ptr<const core::Op>> find_op(const std::string& name, const std::string& folder) {
  KGEN_TRY(const CatalogueEntry entry, find_entry(name, folder));
  return entry.op;
}

std::string with_own_files(const CatalogueEntry& entry, std::string text) {
  if (entry.source == kBuiltIn) return text;
  const std::string named = entry.op->name + "/reference.";
  const std::string file = (fs::path(entry.source).parent_path() / "reference.").string();
  if (const auto at = text.find(named); at != std::string::npos) text.replace(at, named.size(), file);
  return text;
}

Error with_own_files(const std::string& name, const std::string& folder, Error error) {
  if (const auto entry = find_entry(name, folder))
    error.message = with_own_files(*entry, std::move(error.message));
  return error;
}

Result<std::vector<reference_ops::OpKernel>> kernels_of(const CatalogueEntry& entry) {
  if (entry.source == kBuiltIn) return reference_ops::builtin_kernels(entry.op->name);
  return read_op_kernels(fs::path(entry.source).parent_path());
}

}  // namespace kgen::cli
