// kgen ops new: a folder to begin an operation of one's own with.
#include "cli/ops_new.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "cli/op_folder.hpp"
#include "util/embedded.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> new_op();
}

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "new_op/", kPlaceholder = "@NAME@";

Status check_op_name(const std::string& name) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const bool begins = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  if (begins && std::all_of(name.begin(), name.end(), is_letter)) return {};
  return fail(
      ErrorKind::bad_input, "'" + name + "' is no name for an op",
      "expected letters, digits and underscores, not a digit first; --dir says where the folder goes");
}

std::string with_name(std::string_view text, const std::string& name) {
  std::string out(text);
  for (auto at = out.find(kPlaceholder); at != std::string::npos; at = out.find(kPlaceholder, at))
    out.replace(at, kPlaceholder.size(), name);
  return out;
}

Result<CommandResult> new_op(const std::string& name, const std::string& parent) {
  const fs::path folder = fs::path(parent) / name;
  KGEN_TRY(const auto files, make_op_folder(name, folder));
  const std::string shown = is_op_path(folder.string()) ? folder.string() : "./" + folder.string();
  std::string text = shown + "\n";
  for (const std::string& file : files) text += "  " + file + "\n";
  text += "\nIt computes a weighted sum of each row: make it yours, then\n  kgen ops check " + shown +
          "\n  kgen generate --op " + shown + "\n";
  return CommandResult{core::ExitCode::ok, text,
                       document("ops new", {{"op", name}, {"folder", folder.string()}, {"files", files}})};
}

}  // namespace

Status check_new_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) || fs::is_empty(folder, error)) return {};
  return fail(ErrorKind::bad_input, folder.string() + " is there already", "choose another name, or --dir");
}

Result<std::vector<std::string>> make_op_folder(const std::string& name, const fs::path& folder) {
  KGEN_CHECK(check_op_name(name));
  KGEN_CHECK(check_new_folder(folder));
  std::vector<std::string> files;
  for (const auto& file : embedded::new_op()) {
    files.emplace_back(file.name.substr(kFolder.size()));
    KGEN_CHECK(util::write_file_atomic(folder / files.back(), with_name(file.text, name)));
  }
  return files;
}

void add_ops_new(CLI::App& ops, Invocation& invocation) {
  CLI::App* const command =
      add_command(ops, invocation, "new", "Make a folder for an operation of your own",
                  "  kgen ops new my_op\n  kgen ops new my_op --dir ops      makes ops/my_op");
  const auto name = std::make_shared<std::string>();
  const auto folder = std::make_shared<std::string>(".");
  command->add_option("NAME", *name, "name of the operation and its folder")->required();
  command->add_option("--dir", *folder, "where the folder is made")->type_name("DIR");
  command->callback([=, &invocation] { invocation.run = [=] { return new_op(*name, *folder); }; });
}

}  // namespace kgen::cli
