#include "cli/batch_text.hpp"

#include <map>

#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using nlohmann::json;

std::string dollars_text(std::optional<double> dollars) {
  return dollars ? "$" + significant(*dollars) : "-";
}

struct Totals {
  std::map<std::string, int> standings;
  double dollars = 0;
  bool cost_complete = true;
};

Totals totals_of(const BatchSummary& batch) {
  Totals totals;
  for (const batch::Item& item : batch.record.items) {
    ++totals.standings[standing(batch.state, item)];
    const auto end = batch.state.ended.find(item.number);
    if (end == batch.state.ended.end()) continue;
    totals.dollars += end->second.cost_usd.value_or(0);
    totals.cost_complete = totals.cost_complete && end->second.cost_complete;
  }
  return totals;
}

std::string items_table(const BatchSummary& batch) {
  using Align = TextTable::Align;
  TextTable table({{"#", Align::right},
                   {"task"},
                   {"outcome"},
                   {"time", Align::right},
                   {"over library"},
                   {"candidates", Align::right},
                   {"cost", Align::right},
                   {"run"}});
  for (const batch::Item& item : batch.record.items) {
    const auto found = batch.state.ended.find(item.number);
    const batch::ItemEnd end = found == batch.state.ended.end() ? batch::ItemEnd{} : found->second;
    table.add({std::to_string(item.number), batch::task_text(batch.state, item), standing(batch.state, item),
               end.time_us > 0 ? time_text(end.time_us) : "-",
               end.speedup > 0 ? speedup_text(end.speedup, end.speedup_low, end.speedup_high) : "-",
               std::to_string(end.candidates), dollars_text(end.cost_usd), "runs/" + item.folder});
  }
  return table.text();
}

std::string problems(const BatchSummary& batch) {
  std::string text;
  for (const auto& [number, end] : batch.state.ended) {
    if (!end.problem.empty())
      text += "  " + std::to_string(number) + ": " + util::printable(end.problem) + "\n";
  }
  return text.empty() ? "" : "\nwhat went wrong\n" + text;
}

}  // namespace

std::string standing(const batch::BatchState& state, const batch::Item& item) {
  if (state.started.contains(item.number)) return "interrupted";
  const auto end = state.ended.find(item.number);
  if (end == state.ended.end()) return "not started";
  if (end->second.finished()) return end->second.outcome;
  switch (end->second.code) {
    case core::ExitCode::waiting:
      return "waiting for replies";
    case core::ExitCode::interrupted:
      return "interrupted";
    case core::ExitCode::provider:
      return "model provider failed";
    case core::ExitCode::missing:
      return "worker or disk failed";
    case core::ExitCode::usage:
      return "bad input";
    default:
      return "kgen failed";
  }
}

std::string batch_text(const BatchSummary& batch, bool color) {
  const Totals totals = totals_of(batch);
  std::string text = items_table(batch) + problems(batch) + "\n";
  LabelledLines lines;
  for (const auto& [name, count] : totals.standings) lines.add(name, std::to_string(count));
  lines.add("cost", dollars_text(totals.dollars) + (totals.cost_complete ? "" : " at least") +
                        (batch.record.dollars ? " of " + dollars_text(batch.record.dollars) : ""));
  lines.add("batch", batch.folder.string());
  text += lines.text();
  if (!batch.end.stopped.empty())
    text += "\n" + util::paint("stopped early", util::Color::yellow, color) + ": " +
            util::printable(batch.end.stopped) + "; `kgen batch " + batch.folder.string() + "` goes on\n";
  return text;
}

json batch_json(const BatchSummary& batch) {
  const Totals totals = totals_of(batch);
  json out{{"batch", batch.folder.string()},
           {"outcomes", totals.standings},
           {"cost_usd", totals.dollars},
           {"cost_complete", totals.cost_complete},
           {"stopped", batch.end.stopped},
           {"items", json::array()},
           {"exit_code", static_cast<int>(batch.end.code)}};
  if (batch.record.dollars) out["dollars"] = *batch.record.dollars;
  for (const batch::Item& item : batch.record.items) {
    const auto end = batch.state.ended.find(item.number);
    json row = end == batch.state.ended.end() ? json::object() : batch::to_json(end->second);
    row["item"] = item.number;
    row["task"] = batch::task_text(batch.state, item);
    row["standing"] = standing(batch.state, item);
    row["run"] = "runs/" + item.folder;
    out["items"].push_back(std::move(row));
  }
  return out;
}

std::string plan_text(const std::vector<PlannedItem>& items, const batch::BatchRecord& record) {
  using Align = TextTable::Align;
  TextTable table(
      {{"#", Align::right}, {"task"}, {"target"}, {"candidates", Align::right}, {"dollars", Align::right}});
  for (const PlannedItem& planned : items) {
    table.add({std::to_string(planned.item.number), planned.item.task, planned.target,
               std::to_string(planned.candidates), dollars_text(planned.dollars)});
  }
  return table.text() + "\n" + plural(static_cast<int>(items.size()), "task") + ", " +
         std::to_string(record.searches) + " at once, " +
         (record.dollars ? dollars_text(record.dollars) + " for all"
                         : std::string("no limit in dollars for all")) +
         "; nothing was started\n";
}

json plan_json(const std::vector<PlannedItem>& items, const batch::BatchRecord& record) {
  json out{{"dry_run", true}, {"searches", record.searches}, {"items", json::array()}};
  if (record.dollars) out["dollars"] = *record.dollars;
  for (const PlannedItem& planned : items) {
    json row{{"item", planned.item.number},
             {"task", planned.item.task},
             {"target", planned.target},
             {"candidates", planned.candidates}};
    if (planned.dollars) row["dollars"] = *planned.dollars;
    out["items"].push_back(std::move(row));
  }
  return out;
}

std::string end_text(const batch::Item& item, const batch::ItemEnd& end) {
  std::string text =
      "[" + std::to_string(item.number) + "] " + (end.task.empty() ? item.task : end.task) + ": ";
  if (!end.finished()) return text + util::printable(end.problem);
  text += end.outcome;
  if (end.speedup > 0) text += ", " + speedup_text(end.speedup, end.speedup_low, end.speedup_high);
  if (end.cost_usd) text += ", " + dollars_text(end.cost_usd);
  return text;
}

}  // namespace kgen::cli
