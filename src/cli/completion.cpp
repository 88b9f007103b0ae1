// kgen completion bash|zsh|fish: a script for the shell to read.
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "util/json.hpp"
#include "util/text.hpp"

namespace kgen::cli {
namespace {

std::string bash_script() {
  std::string text =
      "_kgen() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then words='" +
      util::join(command_names(), " ") +
      " --help --version'; else\n"
      "    case $command in\n";
  for (const auto& command : command_names())
    text += "      " + command + ") words='" + util::join(flags_of(command), " ") + "';;\n";
  return text +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  [[ $word != -* && $COMP_CWORD -gt 1 ]] && COMPREPLY+=($(compgen -f -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -F _kgen kgen\n";
}

std::string zsh_script() {
  return "#compdef kgen\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script();
}

std::string fish_script() {
  std::string text =
      "complete -c kgen -n __fish_use_subcommand -f -a '" + util::join(command_names(), " ") + "'\n";
  for (const auto& command : command_names())
    for (const auto& flag : flags_of(command))
      text += "complete -c kgen -n '__fish_seen_subcommand_from " + command + "' -l " + flag.substr(2) + "\n";
  return text;
}

Result<CommandResult> print_script(const std::string& shell) {
  CommandResult result;
  result.text = shell == "bash" ? bash_script() : shell == "zsh" ? zsh_script() : fish_script();
  result.json = document("completion", {{"shell", shell}, {"script", result.text}});
  return result;
}

}  // namespace

void add_completion(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "completion", "Print a completion script for a shell",
                  "  source <(kgen completion bash)\n"
                  "  kgen completion fish > ~/.config/fish/completions/kgen.fish");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &invocation] { invocation.run = [shell] { return print_script(*shell); }; });
}

}  // namespace kgen::cli
