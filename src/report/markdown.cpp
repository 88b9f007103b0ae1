#include "report/markdown.hpp"

#include "report/markdown_escape.hpp"
#include "report/markdown_table.hpp"
#include "report/number_text.hpp"
#include "report/provenance.hpp"
#include "report/run_words.hpp"
#include "report/sweep_markdown.hpp"

namespace kgen::report {
namespace {

std::string baselines_table(const ReportRun& run) {
  const core::Evaluation* const best = best_evaluation(run);
  if (best == nullptr || !best->timing || best->timing->baselines.empty()) return {};
  const core::Timing& timing = *best->timing;
  std::string text = table_header({"", "time (median, 95% interval)", "speed-up of the candidate"}) +
                     table_row({"**candidate " + std::to_string(best_candidate(run.state)->number) + "**",
                                interval_text(timing.candidate), ""});
  for (const core::BaselineTiming& baseline : timing.baselines)
    text += table_row(
        {table_cell(baseline.name),
         baseline.time ? interval_text(*baseline.time) : "not measured: " + table_cell(baseline.why_missing),
         baseline.time ? speedup_text(baseline.speedup, baseline.speedup_low, baseline.speedup_high) : ""});
  return "### Against what there is\n\n" + text + "\n";
}

std::string candidates_table(const ReportRun& run) {
  std::string text =
      table_header({"#", "asked for", "verdict", "time (median, 95% interval)", "over library", "notes"});
  for (const core::CandidateState& candidate : run.state.candidates) {
    const core::EvaluationSummary* const summary = newest(candidate);
    const bool timed = summary != nullptr && summary->time;
    const std::string from = candidate.parent > 0 ? " of " + std::to_string(candidate.parent) : "";
    const std::string flags = flag_words(candidate);
    text += table_row({std::to_string(candidate.number), std::string(core::name_of(candidate.purpose)) + from,
                       table_cell(verdict_words(candidate)) + (flags.empty() ? "" : " " + table_cell(flags)),
                       timed ? interval_text(*summary->time) : "",
                       timed && summary->speedup > 0
                           ? speedup_text(summary->speedup, summary->speedup_low, summary->speedup_high)
                           : "",
                       table_cell(candidate.notes)});
  }
  return "### Candidates\n\n" + text + "\n";
}

/// Facts as a list, the texts in code spans.
std::string list_of(const Facts& facts) {
  std::string text;
  for (const auto& [label, value] : facts)
    text += (label.empty() ? "  - " : "- " + label + ": ") + code_span(value) + "\n";
  return text;
}

std::string evidence(const ReportRun& run) {
  const core::Evaluation* const best = best_evaluation(run);
  if (best == nullptr) return {};
  Facts facts;
  bool wanted = false;  // lines without a label go on with the one before
  for (const auto& [label, text] : facts_of(*best)) {
    if (!label.empty()) wanted = label != "stages" && label != "speed-up" && label != "time";
    if (wanted) facts.emplace_back(label, text);
  }
  return "### Evidence\n\n" + list_of(facts) + "\n";
}

/// Of the candidate that the outcome names.
std::string variants(const ReportRun& run) {
  const core::CandidateState* const best = best_candidate(run.state);
  const CandidateFiles* const files = best == nullptr ? nullptr : files_of(run, best->number);
  return files == nullptr || !files->sweep ? std::string() : sweep_markdown(best->number, *files->sweep);
}

std::string review_line(const core::RunState& state) {
  if (!state.review) return "Not reviewed.\n\n";
  const core::Reviewed& review = state.review->decision;
  return std::string(review.accepted ? "**Accepted**" : "**Rejected**") + " by " + code_span(review.by) +
         " (" + code_span(state.review->at) + "): " + code_span(review.note) + "\n\n";
}

std::string how_to(const ReportRun& run) {
  std::string commands;
  for (const Command& command : reproduce(run))
    commands += "# " + command.purpose + "\n" + command.line + "\n";
  return "### How to reproduce\n\nIn the folder that holds the run:\n\n" + code_block(commands);
}

}  // namespace

std::string markdown_report(const ReportRun& run) {
  return "## " + code_span(core::describe(run.record.task)) + "\n\n" +
         escaped_markdown(outcome_line(run.state)) + "\n\n" + review_line(run.state) + baselines_table(run) +
         candidates_table(run) + variants(run) + evidence(run) + "### Provenance\n\n" +
         list_of(provenance_of(run)) + "\n" + how_to(run);
}

std::string markdown_report(const ReportBatch& batch) {
  std::string text =
      "## " + code_span(batch.name) + "\n\n" +
      table_header({"#", "task", "outcome", "time (median, 95% interval)", "over library", "review"});
  for (const ReportItem& item : batch.items) {
    const core::CandidateState* const best = item.run ? best_candidate(item.run->state) : nullptr;
    const core::EvaluationSummary* const summary = best == nullptr ? nullptr : newest(*best);
    const bool timed = summary != nullptr && summary->time;
    text += table_row({std::to_string(item.number), table_cell(item.task), table_cell(item.standing),
                       timed ? interval_text(*summary->time) : "",
                       timed && summary->speedup > 0
                           ? speedup_text(summary->speedup, summary->speedup_low, summary->speedup_high)
                           : "",
                       item.run && item.run->state.review
                           ? table_cell(review_words(item.run->state.review->decision))
                           : ""});
  }
  return text;
}

}  // namespace kgen::report
