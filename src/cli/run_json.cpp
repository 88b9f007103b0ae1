#include "cli/run_json.hpp"

#include "core/protocol.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

nlohmann::json spend_json(const core::Spend& spend) {
  nlohmann::json json{{"input_tokens", spend.input_tokens},
                      {"cached_input_tokens", spend.cached_input_tokens},
                      {"output_tokens", spend.output_tokens},
                      {"cost_usd", nullptr}};
  if (spend.cost_usd) json["cost_usd"] = *spend.cost_usd;
  return json;
}

nlohmann::json candidate_json(const core::CandidateState& candidate) {
  nlohmann::json json{{"number", candidate.number},
                      {"purpose", core::name_of(candidate.purpose)},
                      {"parent", candidate.parent},
                      {"hint", candidate.hint},
                      {"notes", candidate.notes},
                      {"model", candidate.model},
                      {"spend", spend_json(candidate.spend)},
                      {"possibly_paid", candidate.possibly_paid}};
  if (candidate.screen) json["screen"] = core::to_json(*candidate.screen);
  if (candidate.promotion) json["promotion"] = core::to_json(*candidate.promotion);
  if (candidate.swept) json["variant"] = candidate.variant;
  return json;
}

}  // namespace

nlohmann::json ledger_json(const core::Ledger& ledger) {
  return {{"replies", ledger.replies},
          {"failed_attempts", ledger.failed_attempts},
          {"possibly_paid", ledger.possibly_paid},
          {"total", spend_json(ledger.total)},
          {"cost_complete", ledger.cost_complete},
          {"usage_complete", ledger.usage_complete}};
}

nlohmann::json review_json(const core::Review& review) {
  return {{"accepted", review.decision.accepted},
          {"by", review.decision.by},
          {"note", review.decision.note},
          {"at", review.at}};
}

nlohmann::json run_json(const RunSummary& run, const std::optional<Error>& problem, core::ExitCode code) {
  nlohmann::json json{{"run", run.folder.string()},
                      {"op", run.record.task.op->name},
                      {"dtype", core::name_of(run.record.task.dtype)},
                      {"dims", run.record.task.dims},
                      {"attributes", run.record.task.attributes},
                      {"device", core::to_json(run.state.device)},
                      {"provider", run.record.provider},
                      {"model", run.record.model},
                      {"search", core::to_json(run.state.search)},
                      {"active_s", run.state.active_s},
                      {"ledger", ledger_json(run.state.ledger)},
                      {"candidates", nlohmann::json::array()},
                      {"exit_code", static_cast<int>(code)}};
  for (const auto& candidate : run.state.candidates) json["candidates"].push_back(candidate_json(candidate));
  if (run.state.finished) {
    json["outcome"] = core::name_of(run.state.finished->outcome);
    json["reason"] = run.state.finished->reason;
    json["best"] = run.state.finished->best;
  }
  if (run.state.review) json["review"] = review_json(*run.state.review);
  if (run.best) json["evaluation"] = core::to_json(*run.best);
  if (problem) json["error"] = core::to_json(*problem);
  return json;
}

}  // namespace kgen::cli
