// kgen: reads the command line, runs one command, writes what it found. The exit codes are
// core/exit_code.hpp's.
#include <cstdio>
#include <exception>

#include "cli/command_line.hpp"
#include "cli/report_result.hpp"
#include "util/interrupt.hpp"

namespace {

int run(int argc, char** argv) {
  using namespace kgen;
  cli::ParsedLine parsed;
  if (const Status read = cli::parse_command_line({argv + 1, argv + argc}, parsed); !read)
    return cli::report_error(parsed.invocation, read.error());
  if (parsed.finished) return cli::report_text(parsed.text);
  const auto result = parsed.invocation.run();
  return result ? cli::report_result(parsed.invocation, *result)
                : cli::report_error(parsed.invocation, result.error());
}

}  // namespace

int main(int argc, char** argv) {
  kgen::util::install_interrupt_handlers();
  try {
    return run(argc, argv);
  } catch (const std::exception& bug) {
    std::fprintf(stderr,
                 "kgen: internal error: %s\n  this is a defect of kgen; please report it with the command\n",
                 bug.what());
    return static_cast<int>(kgen::core::ExitCode::internal);
  }
}
