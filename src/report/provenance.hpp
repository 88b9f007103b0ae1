#pragma once

#include <string>
#include <vector>

#include "report/evaluation_facts.hpp"
#include "report/report_run.hpp"

namespace kgen::report {

/// Where the figures come from: device, driver, toolkit, kgen, model, provider, budget, cost, seed.
Facts provenance_of(const ReportRun& run);

/// A command and what it is for. The run's directory is called by its name alone.
struct Command {
  std::string purpose, line;
};
/// How to see it again: the best kernel judged anew, and the same search with the recorded replies.
std::vector<Command> reproduce(const ReportRun& run);

/// One word of a POSIX shell's command line.
std::string shell_word(const std::string& word);

}  // namespace kgen::report
