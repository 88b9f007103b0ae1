#include "cli/run_text.hpp"

#include "cli/evaluation_text.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using core::CandidateState;
using core::Outcome;
using Phase = CandidateState::Phase;

constexpr std::size_t kNotesWidth = 60;

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string phase_text(const CandidateState& candidate) {
  switch (candidate.phase) {
    case Phase::to_ask:
      return "to be asked again";
    case Phase::asking:
      return "asking";
    case Phase::waiting:
      return "waiting for reply.md";
    case Phase::cut:
      return "reply cut off";
    case Phase::replied:
      return "not judged yet";
    case Phase::dropped:
      return "no reply";
    case Phase::judged:
      break;
  }
  return "judged";
}

const core::EvaluationSummary* newest(const CandidateState& candidate) {
  if (candidate.promotion) return &*candidate.promotion;
  return candidate.screen ? &*candidate.screen : nullptr;
}

std::string verdict_cell(const CandidateState& candidate) {
  const auto* summary = newest(candidate);
  if (!summary) return phase_text(candidate);
  std::string text(core::name_of(summary->verdict));
  if (!summary->kind.empty()) text += " (" + summary->kind + ")";
  return candidate.promotion ? text + ", promotion" : text;
}

std::string flags_cell(const CandidateState& candidate) {
  std::string text;
  if (const auto* summary = newest(candidate))
    for (const auto& flag : summary->flags) text += (text.empty() ? "" : ", ") + flag;
  if (candidate.possibly_paid) text += text.empty() ? "possibly paid" : ", possibly paid";
  return text;
}

util::Color outcome_color(Outcome outcome) {
  if (outcome == Outcome::target_met || outcome == Outcome::faster) return util::Color::green;
  return outcome == Outcome::no_correct_kernel ? util::Color::red : util::Color::yellow;
}

std::string provider_text(const RunSummary& run) {
  std::string text = run.state.provider.empty() ? run.record.provider : run.state.provider;
  if (!run.record.model.empty()) text += ", " + run.record.model;
  if (text.starts_with("replay")) text = "replay of a recorded transcript: no model was asked";
  return text;
}

void add_result(const RunSummary& run, std::string& text, bool color) {
  if (!run.state.finished) {
    text += util::paint("not finished", util::Color::yellow, color) + "; `kgen resume " +
            run.folder.string() + "` goes on\n";
    return;
  }
  const core::Outcome outcome = run.state.finished->outcome;
  text += util::paint(core::name_of(outcome), outcome_color(outcome), color) + ": " +
          outcome_sentence(outcome, run.state.device.kind) + "\n";
}

std::string best_text(const RunSummary& run) {
  const int number = run.state.finished ? run.state.finished->best : 0;
  if (number == 0) return "none";
  const CandidateState* candidate = run.state.find(number);
  return "candidate " + std::to_string(number) +
         (candidate && !candidate->notes.empty() ? ": " + util::printable(candidate->notes) : "");
}

}  // namespace

std::string outcome_sentence(Outcome outcome, core::DeviceKind device) {
  switch (outcome) {
    case Outcome::target_met:
      return "the target is met";
    case Outcome::faster:
      return "faster than the best library, but the target is missed";
    case Outcome::below_target:
      return "correct, but the target is missed; not measured against a library";
    case Outcome::keep_library:
      return "no kernel beats the best library: keep the library";
    case Outcome::no_correct_kernel:
      return "no correct kernel was found";
    case Outcome::unmeasured:
      return device == core::DeviceKind::none ? "compiled; not run: there was no device"
                                              : "correct on the emulator; no time was measured";
  }
  return "";
}

std::string cost_text(const core::Ledger& ledger) {
  std::string text = std::to_string(ledger.replies) + (ledger.replies == 1 ? " reply, " : " replies, ") +
                     count_text(ledger.total.input_tokens) + " tokens in, " +
                     count_text(ledger.total.output_tokens) + " out";
  if (!ledger.usage_complete) text += " (partly estimated)";
  if (ledger.total.cost_usd) text += ", $" + significant(*ledger.total.cost_usd);
  if (!ledger.cost_complete) text += ledger.total.cost_usd ? " at least" : ", cost not known";
  if (ledger.failed_attempts > 0) text += ", " + plural(ledger.failed_attempts, "failed attempt");
  if (ledger.possibly_paid > 0)
    text += ", " + plural(ledger.possibly_paid, "call") + " possibly paid in vain";
  return text;
}

std::string summary_text(const RunSummary& run, bool color) {
  std::string text = core::describe(run.record.task) + " on " + device_title(run.state.device) + "\n";
  add_result(run, text, color);
  text += "\n";
  LabelledLines lines;
  lines.add("best", best_text(run));
  lines.add("candidates",
            std::to_string(run.state.candidates.size()) + " asked for, " + duration_text(run.state.active_s));
  if (run.state.finished) lines.add("stopped", util::printable(run.state.finished->reason));
  lines.add("provider", provider_text(run));
  lines.add("cost", cost_text(run.state.ledger));
  if (run.state.finished && run.state.finished->best > 0)
    lines.add("kernel", (run.folder / "best.cu").string());
  lines.add("run", run.folder.string());
  text += lines.text();
  if (run.best)
    text += "\n" + std::string("evidence: ") + verdict_text(run.best->verdict, run.best->kind, color) + "\n" +
            evaluation_facts(*run.best);
  return text;
}

std::string candidates_table(const core::RunState& state) {
  using Align = TextTable::Align;
  TextTable table({{"#", Align::right},
                   {"purpose"},
                   {"from", Align::right},
                   {"verdict"},
                   {"time", Align::right},
                   {"over library", Align::right},
                   {"flags"},
                   {"notes"}});
  for (const CandidateState& candidate : state.candidates) {
    const auto* summary = newest(candidate);
    const bool timed = summary && summary->time;
    const std::string purpose = std::string(core::name_of(candidate.purpose)) +
                                (candidate.hint.empty() ? "" : " (" + candidate.hint + ")");
    table.add({std::to_string(candidate.number), purpose,
               candidate.parent ? std::to_string(candidate.parent) : "-", verdict_cell(candidate),
               timed ? time_text(summary->time->median_us) : "-",
               timed && summary->speedup > 0 ? speedup_text(summary->speedup, 0, 0) : "-",
               flags_cell(candidate), cut(util::printable(candidate.notes), kNotesWidth)});
  }
  return table.empty() ? "no candidates yet\n" : table.text();
}

}  // namespace kgen::cli
