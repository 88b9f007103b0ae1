#include "report/run_data.hpp"

#include "report/candidate_data.hpp"
#include "report/chart_data.hpp"
#include "report/evaluation_data.hpp"
#include "report/number_text.hpp"
#include "report/provenance.hpp"
#include "report/run_words.hpp"
#include "util/json.hpp"

namespace kgen::report {
namespace {

using nlohmann::json;

const char* outcome_tone(const std::optional<core::Finished>& finished) {
  if (!finished) return "neutral";
  switch (finished->outcome) {
    case core::Outcome::target_met:
    case core::Outcome::faster:
      return "good";
    case core::Outcome::no_correct_kernel:
      return "bad";
    default:
      return "neutral";
  }
}

json outcome_data(const core::RunState& state) {
  json out{{"name", state.finished ? std::string(core::name_of(state.finished->outcome)) : "not finished"},
           {"tone", outcome_tone(state.finished)},
           {"sentence", outcome_line(state)}};
  if (state.review)
    out["review"] = {{"accepted", state.review->decision.accepted},
                     {"by", state.review->decision.by},
                     {"note", state.review->decision.note},
                     {"at", state.review->at}};
  return out;
}

json commands_data(const ReportRun& run) {
  json out = json::array();
  for (const Command& command : reproduce(run)) out.push_back({command.purpose, command.line});
  return out;
}

/// The row of the index. Its figures are those of the run as it is now.
json item_row(const ReportItem& item) {
  json row{{"number", item.number}, {"task", item.task},       {"outcome", item.standing},
           {"tone", "neutral"},     {"problem", item.problem}, {"candidates", 0}};
  if (!item.run) return row;
  const core::RunState& state = item.run->state;
  row["tone"] = outcome_tone(state.finished);
  row["candidates"] = state.candidates.size();
  row["op"] = item.run->record.task.op->name;
  row["dtype"] = core::name_of(item.run->record.task.dtype);
  if (state.review) row["review"] = review_words(state.review->decision);
  if (state.ledger.total.cost_usd) {
    row["dollars"] = *state.ledger.total.cost_usd;
    row["cost"] = "$" + significant(*state.ledger.total.cost_usd);
  }
  const core::CandidateState* const best = best_candidate(state);
  const core::EvaluationSummary* const summary = best == nullptr ? nullptr : newest(*best);
  if (summary == nullptr || !summary->time) return row;
  row["us"] = summary->time->median_us;
  row["time"] = interval_text(*summary->time);
  if (summary->speedup <= 0) return row;
  row["speedup"] = summary->speedup;
  row["over"] = speedup_text(summary->speedup, summary->speedup_low, summary->speedup_high);
  row["library"] = summary->library;
  return row;
}

}  // namespace

json run_data(const ReportRun& run) {
  StringTable strings;
  json data{{"title", core::describe(run.record.task)},
            {"subtitle", run.record.task.op->title},
            {"device", device_title(run.state.device)},
            {"outcome", outcome_data(run.state)},
            {"best", run.state.finished ? run.state.finished->best : 0},
            {"bars", bars_data(run)},
            {"roofline", roofline_data(run)},
            {"candidates", json::array()},
            {"provenance", facts_data(provenance_of(run))},
            {"reproduce", commands_data(run)}};
  for (std::size_t i = 0; i < run.state.candidates.size(); ++i)
    data["candidates"].push_back(candidate_data(run, i, strings));
  data["strings"] = strings.to_json();
  return data;
}

std::string json_text(const json& data) {
  return data.dump(-1, ' ', false, json::error_handler_t::replace);
}

BatchData batch_data(const ReportBatch& batch, std::size_t most_bytes) {
  BatchData data;
  json index{{"title", batch.name}, {"begun", batch.created_at}, {"items", json::array()}};
  std::size_t bytes = 0;
  for (const ReportItem& item : batch.items) {
    json row = item_row(item);
    if (item.run && bytes <= most_bytes) {
      row["run"] = data.runs.size();
      data.runs.push_back(json_text(run_data(*item.run)));
      bytes += data.runs.back().size();
    } else if (item.run) {
      row["left_out"] = true;
    }
    index["items"].push_back(std::move(row));
  }
  data.index = json_text(index);
  return data;
}

}  // namespace kgen::report
