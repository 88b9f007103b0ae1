#include "report/candidate_data.hpp"

#include "report/evaluation_data.hpp"
#include "report/number_text.hpp"
#include "report/run_words.hpp"
#include "report/source_diff.hpp"
#include "report/sweep_data.hpp"
#include "util/json.hpp"

namespace kgen::report {
namespace {

using nlohmann::json;

/// The reply in two parts around the kernel it holds, which is in the page already; else whole.
json reply_data(const std::string& reply, const std::string& kernel) {
  const auto at = kernel.empty() ? std::string::npos : reply.find(kernel);
  if (at == std::string::npos) return {reply};
  return {reply.substr(0, at), reply.substr(at + kernel.size())};
}

std::string diff_to_parent(const ReportRun& run, const core::CandidateState& candidate,
                           const CandidateFiles& files) {
  const auto parent = static_cast<std::size_t>(candidate.parent);
  if (parent == 0 || parent > run.files.size() || files.kernel.empty()) return {};
  const std::string& before = run.files[parent - 1].kernel;
  if (before.empty()) return {};
  const auto name = [](int number) { return "candidate " + std::to_string(number); };
  return source_diff(name(candidate.parent), before, name(candidate.number), files.kernel, false);
}

/// What the model and the journal say of the call.
Facts call_facts(const core::CandidateState& candidate) {
  Facts facts;
  const auto add = [&](const char* label, const std::string& text) {
    if (!text.empty()) facts.emplace_back(label, text);
  };
  add("model", candidate.model);
  add("ended", candidate.stop + (candidate.stop_detail.empty() ? "" : ": " + candidate.stop_detail));
  add("cost", spend_text(candidate.spend));
  if (candidate.prompt_matches == false) add("replay", "the reply was written for another prompt");
  add("problem", candidate.problem);
  return facts;
}

void add_time(json& row, const core::EvaluationSummary& summary) {
  row["us"] = summary.time->median_us;
  row["time"] = interval_text(*summary.time);
  if (summary.speedup <= 0) return;
  row["speedup"] = summary.speedup;
  row["over"] = speedup_text(summary.speedup, summary.speedup_low, summary.speedup_high);
  row["library"] = summary.library;
}

json row_of(const core::CandidateState& candidate) {
  json row{{"number", candidate.number},
           {"purpose", core::name_of(candidate.purpose)},
           {"hint", candidate.hint},
           {"parent", candidate.parent},
           {"verdict", verdict_words(candidate)},
           {"flags", flag_words(candidate)},
           {"notes", candidate.notes},
           {"tone", "neutral"}};
  if (const core::EvaluationSummary* const summary = newest(candidate)) {
    row["tone"] = tone_of(summary->verdict);
    if (summary->time) add_time(row, *summary);
  }
  return row;
}

}  // namespace

json candidate_data(const ReportRun& run, std::size_t place, StringTable& strings) {
  const core::CandidateState& candidate = run.state.candidates[place];
  const CandidateFiles& files = run.files[place];
  json data = row_of(candidate);
  data["call"] = facts_data(call_facts(candidate));
  data["prompt"] = {{"system", strings.place_of(files.prompt_system)}, {"user", files.prompt_user}};
  data["reply"] = reply_data(files.reply, files.kernel);
  data["source"] = files.kernel;
  data["diff"] = diff_to_parent(run, candidate, files);
  data["evaluations"] = json::array();
  for (const auto* evaluation : {&files.promotion, &files.screen})
    if (*evaluation) data["evaluations"].push_back(evaluation_data(**evaluation, strings));
  if (files.sweep) data["sweep"] = sweep_data(*files.sweep, strings);
  return data;
}

}  // namespace kgen::report
