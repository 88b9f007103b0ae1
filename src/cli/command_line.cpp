#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "cli/version.hpp"
#include "util/closest_names.hpp"

namespace kgen::cli {
namespace {

/// The whole parser: one line a command.
void add_commands(CLI::App& root, Invocation& invocation) {
  root.name("kgen");
  root.description("kgen makes GPU kernels with a language model, and checks and times each one.");
  root.set_version_flag("--version", std::string("kgen ") + kVersion);
  root.require_subcommand(1);
  add_generate(root, invocation);
  add_resume(root, invocation);
  add_batch(root, invocation);
  add_eval(root, invocation);
  add_profile(root, invocation);
  add_tune(root, invocation);
  add_ops(root, invocation);
  add_show(root, invocation);
  add_report(root, invocation);
  add_review(root, invocation);
  add_export(root, invocation);
  add_selftest(root, invocation);
  add_doctor(root, invocation);
  add_completion(root, invocation);
  root.footer(
      "Examples:\n"
      "  kgen generate --op softmax --provider replay --device emulator   see the main job, no key, no GPU\n"
      "  kgen eval kernel.cu --op softmax                             judge a kernel of your own\n"
      "  kgen doctor                                                  what is there and what is missing\n"
      "  kgen selftest                                                try the judge on your own device");
}

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> long_flags(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  std::sort(flags.begin(), flags.end());
  return flags;
}

/// The innermost subcommand that the words lead to.
const CLI::App& reached(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* app = &root;
  for (const std::string& word : words)
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; }))
      if (command->get_name() == word) {
        app = command;
        break;
      }
  return *app;
}

/// The words that lead to `app` ("ops draft"); empty for the root.
std::string path_of(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  if (!parent) return {};
  const std::string before = path_of(*parent);
  return before.empty() ? app.get_name() : before + " " + app.get_name();
}

std::string help_hint(const CLI::App& app) {
  const std::string path = path_of(app);
  return "`kgen " + (path.empty() ? "" : path + " ") + "--help` shows what there is";
}

/// The first word that should have been a command of `app` and is none; nothing where `app` has no commands.
std::optional<std::string> unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (names_of(app).empty()) return std::nullopt;
  for (const std::string& word : words) {
    const bool on_the_way =
        word == app.get_name() || (app.get_parent() && word == app.get_parent()->get_name());
    if (on_the_way) continue;
    return word.starts_with("-") ? std::nullopt : std::optional(word);
  }
  return std::nullopt;
}

/// The first flag that `app` does not have.
std::optional<std::string> unknown_flag(const std::vector<std::string>& flags,
                                        const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    std::string name = word.substr(0, word.find('='));
    const bool is_flag = name.size() > 2 && name.starts_with("--");
    if (is_flag && std::find(flags.begin(), flags.end(), name) == flags.end()) return name;
  }
  return std::nullopt;
}

/// Says what is wrong with a line that CLI11 refused, with the nearest command or flag.
tl::unexpected<Error> explain(const CLI::App& root, const std::vector<std::string>& words,
                              const CLI::ParseError& error) {
  const CLI::App& app = reached(root, words);
  if (const auto word = unknown_command(app, words))
    return fail(ErrorKind::bad_input, "unknown command '" + *word + "'",
                "the commands are: " + util::closest_names(*word, names_of(app)));
  const std::vector<std::string> flags = long_flags(app);
  if (const auto flag = unknown_flag(flags, words))
    return fail(ErrorKind::bad_input,
                "unknown flag " + *flag + " of " + (&app == &root ? "kgen" : path_of(app)),
                "nearest: " + util::closest_names(*flag, flags, 3) + "; " + help_hint(app));
  if (!names_of(app).empty())
    return fail(ErrorKind::bad_input, "no command is given",
                "the commands are: " + util::closest_names("", names_of(app)));
  return fail(ErrorKind::bad_input, error.what(), help_hint(app));
}

/// --json as far as it can be told from a line that is wrong.
std::string find_json_path(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--json=")) return words[i].substr(7);
    if (words[i] == "--json" && i + 1 < words.size()) return words[i + 1];
  }
  return {};
}

}  // namespace

Status parse_command_line(std::vector<std::string> words, ParsedLine& parsed) {
  CLI::App root;
  add_commands(root, parsed.invocation);
  const std::vector<std::string> as_given = words;
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    root.parse(words);
  } catch (const CLI::CallForVersion&) {
    parsed.finished = true;
    parsed.text = root.version() + "\n";
  } catch (const CLI::CallForHelp&) {
    parsed.finished = true;
    const CLI::App& app = reached(root, as_given);
    const std::string parent = app.get_parent() ? path_of(*app.get_parent()) : "";
    parsed.text = app.help(!app.get_parent() ? "" : parent.empty() ? "kgen" : "kgen " + parent);
  } catch (const CLI::ParseError& error) {
    parsed.invocation.json_path = find_json_path(as_given);
    parsed.invocation.command = path_of(reached(root, as_given));
    return explain(root, as_given, error);
  }
  return {};
}

std::vector<std::string> command_names() {
  CLI::App root;
  Invocation ignored;
  add_commands(root, ignored);
  return names_of(root);
}

std::vector<std::string> flags_of(const std::string& command) {
  CLI::App root;
  Invocation ignored;
  add_commands(root, ignored);
  return long_flags(reached(root, {command}));
}

}  // namespace kgen::cli
