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
    entries[name] = {std::make_shared<const core::Op>(std::move(op)), kBuiltIn};
  }
  if (!folder.empty()) {
    KGEN_TRY(const auto files, op_files(folder));
    for (const fs::path& file : files) {
      KGEN_TRY(core::Op op, read_op_folder(file.parent_path()));
      const std::string name = op.name;
      entries[name] = {std::make_shared<const core::Op>(std::move(op)), file.string()};
    }
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
  KGEN_TRY(const auto entries, op_catalogue(folder));
  std::vector<std::string> names;
  for (const auto& entry : entries) {
    if (entry.op->name == name) return entry;
    names.push_back(entry.op->name);
  }
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

Result<std::vector<reference_ops::OpKernel>> kernels_of(const CatalogueEntry& entry) {
  if (entry.source == kBuiltIn) return reference_ops::builtin_kernels(entry.op->name);
  return read_op_kernels(fs::path(entry.source).parent_path());
}

}  // namespace kgen::cli
