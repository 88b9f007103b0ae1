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

/// The ops of FOLDER/NAME/op.toml by name, and why the others cannot be read; none where `folder` is empty.
struct OwnOps {
  std::map<std::string, CatalogueEntry> entries;
  std::map<std::string, Error> broken;
};

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

Error same_name(const std::string& name, const std::string& first, const std::string& second) {
  return {ErrorKind::bad_input, first + " and " + second + ": name: both ops are named " + name,
          "give one of them another name"};
}

Result<OwnOps> own_ops(const std::string& folder) {
  OwnOps own;
  if (folder.empty()) return own;
  KGEN_TRY(const auto files, op_files(folder));
  for (const fs::path& file : files) {
    auto op = read_op_folder(file.parent_path());
    if (!op) {
      own.broken.emplace(claimed_op_name(file.parent_path()), std::move(op).error());
      continue;
    }
    const std::string name = op->name;
    const auto [entry, is_new] = own.entries.try_emplace(
        name, CatalogueEntry{std::make_shared<const core::Op>(*std::move(op)), file.string()});
    if (!is_new) own.broken.try_emplace(name, same_name(name, entry->second.source, file.string()));
  }
  for (const auto& [name, error] : own.broken)
    own.entries.erase(name);  // which of several is meant, nobody knows
  return own;
}

tl::unexpected<Error> unknown_op(const std::string& name, const OwnOps& own) {
  std::vector<std::string> names = reference_ops::builtin_op_names();
  for (const auto& [own_name, entry] : own.entries) names.push_back(own_name);
  std::error_code ignored;
  std::string hint = fs::exists(fs::path(name) / "op.toml", ignored)
                         ? "the folder of that name here is ./" + name
                         : "the ops are: " + util::closest_names(name, names) +
                               "; your own is named by its folder, ./NAME, or added with --ops DIR";
  for (const auto& [broken, error] : own.broken) hint += "\n  left out: " + error.message;
  return fail(ErrorKind::bad_input, "unknown op '" + name + "'", hint);
}

}  // namespace

Result<Catalogue> op_catalogue(const std::string& folder) {
  KGEN_TRY(OwnOps own, own_ops(folder));
  KGEN_TRY(std::vector<core::Op> builtin, reference_ops::builtin_ops());
  for (core::Op& op : builtin) {
    if (own.broken.contains(op.name)) continue;
    const std::string name = op.name;
    own.entries.try_emplace(name, CatalogueEntry{std::make_shared<const core::Op>(std::move(op)), kBuiltIn});
  }
  Catalogue catalogue;
  for (auto& [name, entry] : own.entries) catalogue.entries.push_back(std::move(entry));
  for (auto& [name, error] : own.broken) catalogue.left_out.push_back(std::move(error));
  return catalogue;
}

Result<CatalogueEntry> find_entry(const std::string& name, const std::string& folder) {
  if (is_op_path(name)) {
    KGEN_TRY(core::Op op, read_op_folder(op_folder(name)));
    return CatalogueEntry{std::make_shared<const core::Op>(std::move(op)),
                          (op_folder(name) / "op.toml").string()};
  }
  KGEN_TRY(OwnOps own, own_ops(folder));
  if (const auto found = own.entries.find(name); found != own.entries.end()) return found->second;
  if (auto found = own.broken.find(name); found != own.broken.end())
    return tl::unexpected(std::move(found->second));
  const std::vector<std::string> names = reference_ops::builtin_op_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return unknown_op(name, own);
  KGEN_TRY(auto op, reference_ops::find_builtin_op(name));
  return CatalogueEntry{std::move(op), kBuiltIn};
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
