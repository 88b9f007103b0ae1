#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/exit_code.hpp"
#include "util/error.hpp"

namespace CLI {
class App;
}

namespace kgen::cli {

/// What a command found: `text` for a person, `json` for a program (one object, see document), and the exit
/// code.
struct CommandResult {
  core::ExitCode code = core::ExitCode::ok;
  std::string text;
  std::string json;
};

/// What the command line chose. Each command's add_ function puts its flags into the parser and, in its
/// callback, `run`.
struct Invocation {
  std::string command;    ///< "eval"
  std::string json_path;  ///< of --json; "-" is stdout; empty: none
  std::function<Result<CommandResult>()> run;
};

/// Adds the subcommand `name` with --json to `root`.
CLI::App* add_command(CLI::App& root, Invocation& invocation, const std::string& name,
                      const std::string& description, const std::string& examples);

/// Adds --seed, a whole number from 0 on.
void add_seed_flag(CLI::App& command, std::optional<std::uint64_t>& seed, const std::string& description);

/// `content` as a document of --json: with "schema_version" and "command" in front, indented, ending in a
/// newline.
std::string document(std::string_view command, nlohmann::json content);
/// The document of a command that failed.
std::string error_document(std::string_view command, const Error& error);

inline constexpr int kJsonSchemaVersion = 1;

// The commands, one file each.
void add_generate(CLI::App& root, Invocation& invocation);
void add_resume(CLI::App& root, Invocation& invocation);
void add_batch(CLI::App& root, Invocation& invocation);
void add_eval(CLI::App& root, Invocation& invocation);
void add_profile(CLI::App& root, Invocation& invocation);
void add_tune(CLI::App& root, Invocation& invocation);
void add_ops(CLI::App& root, Invocation& invocation);
void add_show(CLI::App& root, Invocation& invocation);
void add_report(CLI::App& root, Invocation& invocation);
void add_review(CLI::App& root, Invocation& invocation);
void add_export(CLI::App& root, Invocation& invocation);
void add_selftest(CLI::App& root, Invocation& invocation);
void add_doctor(CLI::App& root, Invocation& invocation);
void add_completion(CLI::App& root, Invocation& invocation);

}  // namespace kgen::cli
