// kgen ops draft: a specification out of plain English, drafted by a model, checked, and accepted by a
// person.
#include "cli/ops_draft.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/draft_session.hpp"
#include "cli/search_settings.hpp"
#include "util/clock.hpp"
#include "util/text.hpp"
#include "util/utf8.hpp"

namespace kgen::cli {
namespace {

constexpr std::size_t kMostDescriptionBytes = 20'000, kMostAnswerBytes = 5'000;

struct DraftFlags {
  std::shared_ptr<FlagValues> settings;
  std::string description, resume, parent = ".", drafts = "drafts";
  std::vector<std::string> answers;
  bool accept = false, quick = false;
  std::optional<std::uint64_t> seed;
};

Status check_words(const std::string& what, const std::string& text, std::size_t most_bytes) {
  if (text.size() <= most_bytes && util::is_utf8(text) && text.find('\0') == std::string::npos) return {};
  return fail(ErrorKind::bad_input,
              what + " is no UTF-8 text of at most " + std::to_string(most_bytes) + " bytes");
}

Status check_draft_flags(const DraftFlags& flags) {
  const bool described = !util::trimmed(flags.description).empty();
  if (described == !flags.resume.empty())
    return fail(
        ErrorKind::bad_input,
        described ? "--resume goes on with a draft that has its description" : "no operation is described",
        "say in a sentence what it computes, or name a draft with --resume");
  KGEN_CHECK(check_words("the description", flags.description, kMostDescriptionBytes));
  for (const std::string& answer : flags.answers)
    KGEN_CHECK(check_words("an answer", answer, kMostAnswerBytes));
  return {};
}

Result<CommandResult> begin_draft(const DraftFlags& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(*flags.settings));
  // A missing key or worker is told before anything is written.
  KGEN_TRY(DraftEngine engine, start_draft_engine(loaded.config));
  agent::DraftRecord record;
  record.description = std::string(util::trimmed(flags.description));
  record.provider = engine.provider;
  record.model = engine.client->model();
  record.seed = flags.seed.value_or(util::random_seed());
  record.quick = flags.quick;
  record.config = run_config_json(loaded.config);
  KGEN_TRY(const agent::DraftPaths paths, agent::create_draft(flags.drafts, record));
  std::fprintf(stderr, "kgen: draft in %s\n", paths.root.c_str());
  return run_draft_session(paths, loaded.config, {flags.answers, flags.accept, flags.parent},
                           std::move(engine));
}

/// Goes on with a draft. Its own settings come before the flags given now.
Result<CommandResult> resume_draft(const DraftFlags& flags) {
  const agent::DraftPaths paths{flags.resume};
  KGEN_TRY(const agent::DraftRecord record, agent::read_draft_record(paths));
  FlagValues layered = run_config_flags(record.config);
  layered.insert(layered.end(), flags.settings->begin(), flags.settings->end());
  KGEN_TRY(config::LoadedConfig loaded, load_settings(layered));
  if (loaded.config.provider.empty()) loaded.config.provider = record.provider;
  return run_draft_session(paths, loaded.config, {flags.answers, flags.accept, flags.parent}, std::nullopt);
}

Result<CommandResult> draft_op(const DraftFlags& flags) {
  KGEN_CHECK(check_draft_flags(flags));
  return flags.resume.empty() ? begin_draft(flags) : resume_draft(flags);
}

}  // namespace

void add_ops_draft(CLI::App& ops, Invocation& invocation) {
  CLI::App* const command = add_command(
      ops, invocation, "draft", "Draft an operation from a sentence, with a language model",
      "  kgen ops draft 'fused add and ReLU over two 1-D vectors of any length' --device emulator\n"
      "  kgen ops draft --resume drafts/draft-20260102-030405 --answer 'along the last axis'\n"
      "  kgen ops draft --resume drafts/draft-20260102-030405 --accept --dir ops    makes ops/NAME");
  auto flags = std::make_shared<DraftFlags>();
  command->add_option("TEXT", flags->description, "what the operation computes, in a sentence or more");
  command->add_option("--resume", flags->resume, "go on with this draft")->type_name("FOLDER");
  command
      ->add_option("--answer", flags->answers,
                   "the answer to a question of the model's, each in turn, or what to change; repeatable")
      ->type_name("TEXT")
      ->allow_extra_args(false);  // one a flag: what follows is no further answer
  command->add_flag("--accept", flags->accept, "take the draft once it passes its checks, without asking");
  command->add_option("--dir", flags->parent, "where the folder of an accepted operation is made")
      ->type_name("DIR");
  command->add_option("--drafts", flags->drafts, "where drafts are kept")->type_name("DIR");
  command->add_flag("--quick", flags->quick, "check at the smallest shapes alone");
  add_seed_flag(*command, flags->seed, "of the checks' inputs");
  flags->settings =
      add_setting_flags(*command, together({kWorkerSettings, kProviderSettings, {"repairs", "prompts"}}));
  command->callback([flags, &invocation] { invocation.run = [flags] { return draft_op(*flags); }; });
}

}  // namespace kgen::cli
