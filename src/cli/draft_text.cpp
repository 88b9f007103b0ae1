#include "cli/draft_text.hpp"

#include "cli/number_text.hpp"
#include "cli/proof_text.hpp"
#include "cli/run_json.hpp"
#include "cli/run_text.hpp"
#include "core/protocol.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using agent::Drafted;
using agent::DraftOutcome;

std::string file_block(const std::string& name, const std::string& text) {
  return "---- " + name + "\n" + util::printable(text) + "\n";
}

std::string resume_command(const DraftSummary& draft) {
  return "  kgen ops draft --resume " + draft.folder.string();
}

std::string proven_text(const DraftSummary& draft, bool color) {
  return util::paint("passed its checks", util::Color::green, color) +
         ", and is not accepted yet. Read both files first: the checks prove that they agree with "
         "themselves, "
         "not that\nthey say what you mean, and the Python of [[baselines]] runs with your rights. Then\n" +
         resume_command(draft) + " --accept\n" + resume_command(draft) + " --answer 'what to change'\n";
}

std::string not_proven_text(const DraftSummary& draft, bool color) {
  const Drafted& last = *draft.state.last();
  std::string text =
      util::paint("not proven", util::Color::red, color) + " after " + plural(draft.state.newest(), "turn");
  if (!last.problem.empty()) text += ": " + util::printable(last.problem);
  return text + "\nGo on with more turns, or say what it misses:\n" + resume_command(draft) +
         " --repairs N\n" + resume_command(draft) + " --answer 'what to change'\n";
}

std::string standing_text(const DraftSummary& draft, bool color) {
  const Drafted* last = draft.state.last();
  if (draft.state.accepted) {
    const std::string& folder = draft.state.accepted->folder;
    return util::paint("accepted", util::Color::green, color) + ": " + folder + "\n  kgen ops check " +
           folder + "\n  kgen generate --op " + folder + "\n";
  }
  if (last == nullptr)
    return util::paint("not finished", util::Color::yellow, color) + "; this goes on:\n" +
           resume_command(draft) + "\n";
  switch (last->outcome) {
    case DraftOutcome::questions:
      return question_list(last->questions) + "Answer each, in this order:\n" + resume_command(draft) +
             " --answer '...'\n";
    case DraftOutcome::proven:
      return proven_text(draft, color);
    case DraftOutcome::refused:
      return util::paint("refused", util::Color::red, color) + ": " + util::printable(last->problem) + "\n";
    case DraftOutcome::unreadable:
    case DraftOutcome::not_proven:
      break;
  }
  return not_proven_text(draft, color);
}

/// One line an event of a draft's own.
struct DraftLine {
  static std::string number_text(int number) { return "candidate " + std::to_string(number); }

  std::string operator()(const core::EventBody& body) const { return event_line({"", 0, body}); }
  std::string operator()(const Drafted& e) const {
    switch (e.outcome) {
      case DraftOutcome::questions:
        return number_text(e.candidate) + ": asks " +
               plural(static_cast<std::int64_t>(e.questions.size()), "question");
      case DraftOutcome::unreadable:
        return number_text(e.candidate) + ": no draft: " + util::printable(e.problem);
      case DraftOutcome::not_proven:
        return number_text(e.candidate) + ": a draft that fails its checks";
      case DraftOutcome::proven:
        return number_text(e.candidate) + ": a draft that passes its checks";
      case DraftOutcome::refused:
        return number_text(e.candidate) + ": " + util::printable(e.problem);
    }
    return "";
  }
  std::string operator()(const agent::Answered&) const { return ""; }
  std::string operator()(const agent::DraftAccepted&) const { return ""; }
};

}  // namespace

std::string question_list(const std::vector<std::string>& questions) {
  std::string text = "The model asks:\n";
  for (std::size_t i = 0; i < questions.size(); ++i)
    text += "  " + std::to_string(i + 1) + ". " + util::printable(questions[i]) + "\n";
  return text;
}

Result<DraftSummary> summarize_draft(const agent::DraftPaths& paths, const agent::DraftJournal& journal) {
  DraftSummary draft{journal.record(), journal.state(), paths.root, 0, {}, {}};
  for (const auto& [number, drafted] : draft.state.drafted) {
    if (drafted.outcome == DraftOutcome::proven || drafted.outcome == DraftOutcome::not_proven)
      draft.drafted = number;
  }
  if (draft.drafted == 0) return draft;
  KGEN_TRY(draft.files, read_draft_files(paths, draft.drafted));
  KGEN_TRY(draft.findings, read_draft_findings(paths, draft.drafted));
  return draft;
}

std::string draft_standing(const agent::DraftState& state) {
  if (state.accepted) return "accepted";
  return state.last() == nullptr ? "unfinished" : std::string(name_of(state.last()->outcome));
}

core::ExitCode draft_exit_code(const agent::DraftState& state) {
  const Drafted* last = state.last();
  if (last == nullptr) return core::ExitCode::not_met;
  if (last->outcome == DraftOutcome::questions) return core::ExitCode::waiting;
  return last->outcome == DraftOutcome::proven ? core::ExitCode::ok : core::ExitCode::not_met;
}

std::string draft_text(const DraftSummary& draft, bool with_files, bool color) {
  std::string text = draft.record.name + ": " + util::printable(draft.record.description) + "\n\n";
  if (draft.drafted > 0) {
    const agent::DraftPaths paths{draft.folder};
    if (with_files)
      text +=
          file_block("op.toml", draft.files.op_toml) + file_block("reference.cu", draft.files.reference_cu);
    text += "candidate " + std::to_string(draft.drafted) + " (" + paths.op(draft.drafted).string() + ")\n" +
            findings_text(draft.findings) + "\n";
  }
  return text + "cost: " + cost_text(draft.state.calls.ledger) + "\n\n" + standing_text(draft, color);
}

nlohmann::json draft_json(const DraftSummary& draft, const std::optional<Error>& problem,
                          core::ExitCode code) {
  const Drafted* last = draft.state.last();
  nlohmann::json json{{"draft", draft.folder.string()},
                      {"description", draft.record.description},
                      {"provider", draft.record.provider},
                      {"model", draft.record.model},
                      {"standing", draft_standing(draft.state)},
                      {"questions", last == nullptr ? std::vector<std::string>{} : last->questions},
                      {"candidates", draft.state.newest()},
                      {"drafted", draft.drafted},
                      {"findings", findings_json(draft.findings)},
                      {"folder", nullptr},
                      {"ledger", ledger_json(draft.state.calls.ledger)},
                      {"exit_code", static_cast<int>(code)}};
  if (draft.drafted > 0) {
    json["op_toml"] = draft.files.op_toml;
    json["reference_cu"] = draft.files.reference_cu;
  }
  if (draft.state.accepted) json["folder"] = draft.state.accepted->folder;
  if (problem) json["error"] = core::to_json(*problem);
  return json;
}

std::string draft_event_line(const agent::DraftEventBody& event) {
  return std::visit(DraftLine{}, event);
}

}  // namespace kgen::cli
