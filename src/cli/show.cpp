// kgen show RUN: what a run did, and why it ended as it did.
#include <CLI/CLI.hpp>

#include "agent/run_folder.hpp"
#include "agent/transcript_writer.hpp"
#include "cli/command.hpp"
#include "cli/number_checks.hpp"
#include "cli/run_session.hpp"
#include "cli/run_text.hpp"
#include "cli/show_candidate.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

struct ShowFlags {
  std::string run;
  int candidate = 0;
  bool why = false, diff = false;
  std::string transcript, model, note;
};

Result<CommandResult> save_transcript(const agent::RunPaths& paths, const ShowFlags& flags) {
  KGEN_CHECK(agent::write_transcript_of(paths, flags.transcript, flags.model, flags.note));
  return CommandResult{
      core::ExitCode::ok,
      flags.transcript + ": a transcript for --provider replay --transcript " + flags.transcript + "\n",
      document("show", {{"run", paths.root.string()}, {"transcript", flags.transcript}})};
}

Result<CommandResult> run_show(const ShowFlags& flags) {
  const agent::RunPaths paths{flags.run};
  if (!flags.transcript.empty()) return save_transcript(paths, flags);
  KGEN_TRY(const agent::StoredRun run, agent::read_run(paths));
  if (flags.diff) return show_diff(paths, run, flags.candidate);
  if (flags.candidate > 0) return show_candidate(paths, run, flags.candidate, flags.why);
  KGEN_TRY(CommandResult result, sum_up(paths, std::nullopt));
  result.code = core::ExitCode::ok;
  result.text += "\n" + candidates_table(run.state);
  if (flags.why) result.text += "\n" + journal_text(run.events);
  result.json = document("show", nlohmann::json::parse(result.json));
  return result;
}

}  // namespace

void add_show(CLI::App& root, Invocation& invocation) {
  CLI::App* const command = add_command(root, invocation, "show", "Show a run and its candidates",
                                        "  kgen show runs/softmax-bf16-8192x8192-20260102-030405\n"
                                        "  kgen show RUN --candidate 3      its evaluation\n"
                                        "  kgen show RUN --why              the journal, step by step\n"
                                        "  kgen show RUN --candidate 3 --diff   against what it came from\n"
                                        "  kgen show RUN --save-transcript DIR --model NAME");
  auto flags = std::make_shared<ShowFlags>();
  command->add_option("RUN", flags->run, "run directory")->required();
  CLI::Option* const candidate =
      command->add_option("--candidate", flags->candidate, "the evaluation of one candidate")
          ->type_name("N")
          ->check(positive_number());
  command->add_flag("--why", flags->why, "every step of the search, in order");
  command->add_flag("--diff", flags->diff, "the candidate's kernel against that of its parent")
      ->needs(candidate);
  command->add_option("--save-transcript", flags->transcript, "write the replies as a transcript for replay")
      ->type_name("DIR");
  command->add_option("--model", flags->model, "who wrote the replies, for the transcript")
      ->type_name("NAME");
  command->add_option("--note", flags->note, "a sentence for the transcript")->type_name("TEXT");
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_show(*flags); }; });
}

}  // namespace kgen::cli
