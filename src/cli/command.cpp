#include "cli/command.hpp"

#include <CLI/CLI.hpp>

#include "cli/number_checks.hpp"
#include "core/protocol.hpp"
#include "util/json.hpp"

namespace kgen::cli {

CLI::App* add_command(CLI::App& root, Invocation& invocation, const std::string& name,
                      const std::string& description, const std::string& examples) {
  CLI::App* const command = root.add_subcommand(name, description);
  command->add_option("--json", invocation.json_path, "write the result as JSON to a file, or to stdout (-)")
      ->type_name("FILE|-");
  command->footer("Examples:\n" + examples);
  const std::string path = root.get_parent() ? root.get_name() + " " + name : name;
  command->parse_complete_callback([&invocation, path] { invocation.command = path; });
  return command;
}

void add_seed_flag(CLI::App& command, std::optional<std::uint64_t>& seed, const std::string& description) {
  command.add_option("--seed", seed, description)->type_name("N")->check(whole_number());
}

std::string document(std::string_view command, nlohmann::json content) {
  nlohmann::ordered_json ordered;
  ordered["schema_version"] = kJsonSchemaVersion;
  ordered["command"] = command;
  for (auto& [key, value] : content.items()) ordered[key] = value;
  return ordered.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string error_document(std::string_view command, const Error& error) {
  return document(command, {{"error", core::to_json(error)},
                            {"exit_code", static_cast<int>(core::exit_code_for(error.kind))}});
}

}  // namespace kgen::cli
