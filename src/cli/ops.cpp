// kgen ops list|show|check|new|draft|import: the operations that can be asked for.
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/number_text.hpp"
#include "cli/op_catalogue.hpp"
#include "cli/op_text.hpp"
#include "cli/ops_check.hpp"
#include "cli/ops_draft.hpp"
#include "cli/ops_import.hpp"
#include "cli/ops_new.hpp"
#include "cli/setting_flags.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

Result<CommandResult> list_ops(const FlagValues& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(flags));
  KGEN_TRY(const Catalogue catalogue, op_catalogue(loaded.config.ops));
  nlohmann::json ops = nlohmann::json::array(), left_out = nlohmann::json::array();
  for (const auto& entry : catalogue.entries)
    ops.push_back({{"source", entry.source}, {"op", core::to_json(*entry.op)}});
  for (const auto& error : catalogue.left_out) left_out.push_back(error.message);
  return CommandResult{core::ExitCode::ok, op_table(catalogue),
                       document("ops list", {{"ops", ops}, {"left_out", left_out}})};
}

Result<CommandResult> show_op(const std::string& name, const FlagValues& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(flags));
  KGEN_TRY(const auto op, find_op(name, loaded.config.ops));
  return CommandResult{core::ExitCode::ok, op_text(*op), document("ops show", {{"op", core::to_json(*op)}})};
}

}  // namespace

void add_ops(CLI::App& root, Invocation& invocation) {
  CLI::App* const ops = root.add_subcommand("ops", "List, show, check, begin, draft and import operations");
  ops->require_subcommand(1);
  ops->footer(
      "Examples:\n  kgen ops list\n  kgen ops show softmax\n  kgen ops new my_op\n  kgen ops check ./my_op");

  CLI::App* const list =
      add_command(*ops, invocation, "list", "One line an operation", "  kgen ops list --json -");
  const auto list_flags = add_setting_flags(*list, {"ops"});
  list->callback(
      [list_flags, &invocation] { invocation.run = [list_flags] { return list_ops(*list_flags); }; });

  CLI::App* const show =
      add_command(*ops, invocation, "show", "Everything about one operation", "  kgen ops show softmax");
  const auto name = std::make_shared<std::string>();
  show->add_option("NAME", *name, "the operation, or the folder of your own, ./my_op")->required();
  const auto show_flags = add_setting_flags(*show, {"ops"});
  show->callback([=, &invocation] { invocation.run = [=] { return show_op(*name, *show_flags); }; });
  add_ops_check(*ops, invocation);
  add_ops_new(*ops, invocation);
  add_ops_draft(*ops, invocation);
  add_ops_import(*ops, invocation);
}

}  // namespace kgen::cli
