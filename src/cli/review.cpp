// kgen review RUN: a person accepts or rejects what a finished run found.
#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "agent/run_folder.hpp"
#include "cli/command.hpp"
#include "cli/run_json.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

struct ReviewFlags {
  std::string run, note, by;
  bool accept = false, reject = false;
};

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Name of the person at work: the environment's, else the system's.
std::string user_name() {
  for (const char* variable : {"USER", "LOGNAME"}) {
    const char* const name = std::getenv(variable);
    if (name != nullptr && *name != '\0') return name;
  }
  const passwd* const entry = getpwuid(getuid());
  return entry == nullptr ? "user " + std::to_string(getuid()) : entry->pw_name;
}

Result<CommandResult> run_review(const ReviewFlags& flags) {
  if (flags.accept == flags.reject)
    return fail(ErrorKind::bad_input, "kgen review needs one of --accept and --reject",
                "`kgen report " + flags.run + "` has the evidence");
  if (is_blank(flags.note))
    return fail(ErrorKind::bad_input, "the review of " + flags.run + " says nothing",
                "-m \"TEXT\" says why, for those who read the report");
  const agent::RunPaths paths{flags.run};
  KGEN_TRY(agent::Journal journal, agent::Journal::open(paths));
  if (!journal.state().finished)
    return fail(ErrorKind::bad_input, flags.run + " is not finished, so there is no result to review",
                "`kgen resume " + flags.run + "` goes on");
  KGEN_CHECK(
      journal.add(core::Reviewed{flags.accept, flags.by.empty() ? user_name() : flags.by, flags.note}));
  const core::RunState& state = journal.state();
  const core::Review& review = *state.review;
  CommandResult result;
  result.text = flags.run + ": " + std::string(core::name_of(state.finished->outcome)) + ", " +
                report::review_words(review.decision) + "\n";
  result.json = document("review", {{"run", flags.run}, {"review", review_json(review)}});
  return result;
}

}  // namespace

void add_review(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "review", "Accept or reject what a run found",
                  "  kgen review RUN --accept -m \"fast enough, and I read the kernel\"\n"
                  "  kgen review RUN --reject -m \"needs rows % 8 == 0, ours are not\"\n"
                  "The newest review counts; reports and `kgen show` name it.");
  auto flags = std::make_shared<ReviewFlags>();
  command->add_option("RUN", flags->run, "directory of a finished run")->required();
  command->add_flag("--accept", flags->accept, "the kernel will be used");
  command->add_flag("--reject", flags->reject, "it will not");
  command->add_option("-m,--message", flags->note, "why")->type_name("TEXT");
  command->add_option("--by", flags->by, "who says so, where it is not you")->type_name("NAME");
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_review(*flags); }; });
}

}  // namespace kgen::cli
