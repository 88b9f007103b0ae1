#pragma once

#include <string>

#include "cli/command.hpp"

namespace kgen::cli {

/// Writes a command's text to stdout and its JSON where --json says (with `--json -` the JSON alone goes to
/// stdout). Gives the exit code: the command's own, or `missing` where the output could not be written.
int report_result(const Invocation& invocation, const CommandResult& result);
/// Writes the error to stderr, and as JSON where --json says. Gives its exit code.
int report_error(const Invocation& invocation, const Error& error);
/// --help and --version.
int report_text(const std::string& text);

/// Writes the error to stderr.
void say_error(const Error& error);

/// "kgen: message\n  hint\n".
std::string error_text(const Error& error, bool color);

}  // namespace kgen::cli
