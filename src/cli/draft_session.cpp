#include "cli/draft_session.hpp"

#include <algorithm>
#include <utility>

#include "cli/draft_prover.hpp"
#include "cli/draft_terminal.hpp"
#include "cli/draft_text.hpp"
#include "cli/number_text.hpp"
#include "cli/op_folder.hpp"
#include "cli/ops_new.hpp"
#include "cli/provider_setup.hpp"
#include "cli/report_result.hpp"
#include "cli/status_line.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"
#include "util/text.hpp"

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;
using agent::DraftOutcome;

int repairs_of(const config::Config& config) {
  return static_cast<int>(std::min<std::int64_t>(config.repairs, 1000));
}

/// The specifications that the prompt shows.
std::vector<prompt::DraftExample> draft_examples() {
  std::vector<prompt::DraftExample> examples;
  for (const std::string name : {"add_relu", "softmax"})
    examples.push_back({name,
                        {std::string(reference_ops::embedded_file(name + "/op.toml")),
                         std::string(reference_ops::embedded_file(name + "/reference.cu"))}});
  return examples;
}

/// Turns of the model until it is a person's turn.
Status take_turns(const agent::DraftPaths& paths, agent::DraftJournal& journal, const config::Config& config,
                  DraftEngine& engine) {
  KGEN_TRY(const prompt::PromptLibrary prompts, prompt::PromptLibrary::load(config.prompts));
  StatusLine status(util::is_terminal(stderr));
  const ProofOptions proof{"", journal.record().seed, config.kernel_timeout_s, journal.record().quick};
  const auto on_stage = [&](const core::Stage& stage) {
    status.show("checking: " + stage.name + " " + significant(stage.ms) + " ms");
  };
  agent::DraftInputs inputs{journal,
                            paths,
                            *engine.client,
                            engine.paid,
                            model_options(config),
                            repairs_of(config),
                            prompts,
                            draft_examples(),
                            {},
                            util::interrupted,
                            {}};
  inputs.prove = [&](const fs::path& folder) {
    return prove_draft(folder, proof, engine.worker, {util::interrupted, on_stage});
  };
  inputs.progress.event = [&](const agent::DraftEventBody& event) {
    if (const std::string line = draft_event_line(event); !line.empty()) status.say(line);
    status.show("");
  };
  inputs.progress.tokens = [&](int candidate, std::int64_t tokens) {
    status.show("candidate " + std::to_string(candidate) + ": " + count_text(tokens) + " tokens so far");
  };
  return agent::run_draft(inputs);
}

/// What came of asking a person at the terminal.
enum class Talk {
  go_on,  ///< the model has something to do
  shown,  ///< nothing has; they saw the draft's files
  over,   ///< nothing has
};

Result<Talk> talk(const agent::DraftPaths& paths, agent::DraftJournal& journal, const DraftWishes& wishes) {
  const agent::Drafted* last = journal.state().last();
  const int number = journal.state().newest();
  if (last == nullptr || journal.state().accepted) return Talk::over;
  if (last->outcome == DraftOutcome::questions) {
    auto answers = ask_questions(last->questions);
    if (!answers) return Talk::over;
    KGEN_CHECK(journal.add(agent::Answered{number, std::move(*answers)}));
    return Talk::go_on;
  }
  if (last->outcome != DraftOutcome::proven || wishes.accept) return Talk::over;
  KGEN_TRY(const DraftSummary draft, summarize_draft(paths, journal));
  const DraftDecision decision = ask_decision(draft_text(draft, true, util::use_color(stderr)));
  if (decision.accepted) {
    KGEN_CHECK(accept_draft(paths, journal, wishes.parent));
  } else if (!decision.change.empty()) {
    KGEN_CHECK(journal.add(agent::Answered{number, {decision.change}}));
    return Talk::go_on;
  }
  return Talk::shown;
}

/// Turns of the model and of the person, one after the other. Whether the person saw the files at its end.
Result<bool> converse(const agent::DraftPaths& paths, agent::DraftJournal& journal,
                      const config::Config& config, const DraftWishes& wishes,
                      std::optional<DraftEngine>& engine) {
  while (true) {
    if (next_draft_step(journal.state(), repairs_of(config)) != agent::DraftStep::stop) {
      if (!engine) {
        KGEN_TRY(engine, start_draft_engine(config));
      }
      KGEN_CHECK(take_turns(paths, journal, config, *engine));
    }
    if (!someone_is_there()) return false;
    KGEN_TRY(const Talk end, talk(paths, journal, wishes));
    if (end != Talk::go_on) return end == Talk::shown;
  }
}

/// Errors: bad_input where questions are open and not each has one answer.
Status check_each_answered(const agent::DraftState& state, const std::vector<std::string>& answers) {
  const agent::Drafted* last = state.last();
  if (last == nullptr || last->outcome != DraftOutcome::questions || state.answered_after(state.newest()) ||
      last->questions.size() == answers.size())
    return {};
  return fail(ErrorKind::bad_input,
              plural(static_cast<std::int64_t>(last->questions.size()), "question") + " asked, " +
                  plural(static_cast<std::int64_t>(answers.size()), "answer") + " given",
              "give one --answer for each, in their order. " +
                  std::string(util::trimmed(question_list(last->questions))));
}

/// Journals what the person says on the command line. Errors: bad_input where it is not their turn, or where
/// not each question has an answer.
Status take_answers(agent::DraftJournal& journal, const std::vector<std::string>& answers) {
  if (answers.empty()) return {};
  const agent::DraftState& state = journal.state();
  if (state.newest() > 0 && state.last() == nullptr)
    return fail(
        ErrorKind::bad_input,
        "nothing is asked: candidate " + std::to_string(state.newest()) + " has no reply that was read",
        "go on without --answer first");
  KGEN_CHECK(check_each_answered(state, answers));
  return journal.add(agent::Answered{state.newest(), answers});
}

}  // namespace

Result<DraftEngine> start_draft_engine(const config::Config& config) {
  DraftEngine engine;
  const llm::ProviderConfig provider = provider_config(config);
  KGEN_TRY(engine.provider, llm::choose_provider(provider, llm::process_environment()));
  KGEN_TRY(engine.client, llm::make_client(provider));
  engine.paid = engine.provider != "manual" && engine.provider != "replay";
  KGEN_TRY(engine.worker, start_worker(config));
  if (engine.worker.hello.device.kind == core::DeviceKind::none)
    return fail(ErrorKind::missing, "a draft cannot be checked without a device",
                "choose --device emulator, or a worker on a machine with a GPU");
  return engine;
}

Status accept_draft(const agent::DraftPaths& paths, agent::DraftJournal& journal, const fs::path& parent) {
  const agent::Drafted* last = journal.state().last();
  if (last == nullptr || last->outcome != DraftOutcome::proven)
    return fail(ErrorKind::bad_input, paths.root.string() + " has no draft that passed its checks",
                "its newest candidate is what would be accepted");
  const int number = last->candidate;
  const fs::path draft = paths.op(number), folder = parent / last->op;
  KGEN_TRY(const core::Op op, read_op_folder(draft));
  if (op.hash != last->op_hash)
    return fail(ErrorKind::bad_input, draft.string() + " was edited since it was checked",
                "copy it to a folder of your own and check that: `kgen ops check`");
  KGEN_CHECK(check_new_folder(folder));
  KGEN_TRY(const prompt::DraftFiles files, read_draft_files(paths, number));
  KGEN_CHECK(util::write_file_atomic(folder / "op.toml", files.op_toml));
  KGEN_CHECK(util::write_file_atomic(folder / "reference.cu", files.reference_cu));
  const std::string shown = is_op_path(folder.string()) ? folder.string() : "./" + folder.string();
  return journal.add(agent::DraftAccepted{number, shown});
}

Result<CommandResult> run_draft_session(const agent::DraftPaths& paths, const config::Config& config,
                                        const DraftWishes& wishes, std::optional<DraftEngine> engine) {
  KGEN_TRY(agent::DraftJournal journal, agent::DraftJournal::open(paths));
  KGEN_CHECK(take_answers(journal, wishes.answers));
  const Result<bool> done = converse(paths, journal, config, wishes, engine);
  std::optional<Error> problem;
  if (!done) {
    problem = done.error();
    say_error(*problem);
  } else if (wishes.accept && !journal.state().accepted &&
             draft_exit_code(journal.state()) == core::ExitCode::ok) {
    KGEN_CHECK(accept_draft(paths, journal, wishes.parent));
  }
  KGEN_TRY(const DraftSummary draft, summarize_draft(paths, journal));
  CommandResult result;
  result.code = problem ? core::exit_code_for(problem->kind) : draft_exit_code(journal.state());
  result.text = draft_text(draft, !done.value_or(false), util::use_color(stdout));
  result.json = document("ops draft", draft_json(draft, problem, result.code));
  return result;
}

}  // namespace kgen::cli
