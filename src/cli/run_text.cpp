#include "cli/run_text.hpp"

#include "agent/ranking.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using core::CandidateState;
using core::Outcome;

constexpr std::size_t kNotesWidth = 60;

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

util::Color outcome_color(Outcome outcome) {
  if (outcome == Outcome::target_met || outcome == Outcome::faster) return util::Color::green;
  return outcome == Outcome::no_correct_kernel ? util::Color::red : util::Color::yellow;
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
  const auto correct = agent::ranked(run.state);
  const CandidateState* candidate = nullptr;
  if (run.state.finished)
    candidate = run.state.find(run.state.finished->best);
  else if (!correct.empty())
    candidate = correct.front();
  if (candidate == nullptr) return "none";
  return "candidate " + std::to_string(candidate->number) + (run.state.finished ? "" : ", so far") +
         (candidate->notes.empty() ? "" : ": " + util::printable(candidate->notes));
}

}  // namespace

std::string summary_text(const RunSummary& run, bool color) {
  std::string text = core::describe(run.record.task) + " on " + device_title(run.state.device) + "\n";
  add_result(run, text, color);
  text += "\n";
  LabelledLines lines;
  lines.add("best", best_text(run));
  lines.add("candidates",
            std::to_string(run.state.candidates.size()) + " asked for, " + duration_text(run.state.active_s));
  if (run.state.finished) lines.add("stopped", util::printable(run.state.finished->reason));
  if (run.state.review)
    lines.add("review", report::review_words(run.state.review->decision) + " (" + run.state.review->at + ")");
  lines.add("provider", report::provider_text(run.record, run.state));
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
    const auto* summary = report::newest(candidate);
    const bool timed = summary && summary->time;
    const std::string purpose = std::string(core::name_of(candidate.purpose)) +
                                (candidate.hint.empty() ? "" : " (" + candidate.hint + ")");
    table.add({std::to_string(candidate.number), purpose,
               candidate.parent ? std::to_string(candidate.parent) : "-", report::verdict_words(candidate),
               timed ? time_text(summary->time->median_us) : "-",
               timed && summary->speedup > 0 ? speedup_text(summary->speedup, 0, 0) : "-",
               report::flag_words(candidate), cut(util::printable(candidate.notes), kNotesWidth)});
  }
  return table.empty() ? "no candidates yet\n" : table.text();
}

}  // namespace kgen::cli
