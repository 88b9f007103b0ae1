#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace kgen::cli {

/// What is to be done after the command line was read.
struct ParsedLine {
  bool finished = false;  ///< --help or --version: `text` is all there is to do
  std::string text;
  Invocation invocation;
};

/// Reads the words after the program's name. Errors: bad_input for a wrong command, flag or value, naming the
/// nearest. The invocation's `command` and `json_path` are set as far as they could be read, so that errors
/// can be written too.
Status parse_command_line(std::vector<std::string> words, ParsedLine& parsed);

/// Names of all commands, for completion.
std::vector<std::string> command_names();
/// Long flags of a command.
std::vector<std::string> flags_of(const std::string& command);

}  // namespace kgen::cli
