#include "report/chart_data.hpp"

#include "report/number_text.hpp"
#include "report/run_words.hpp"
#include "util/json.hpp"

namespace kgen::report {
namespace {

using nlohmann::json;

/// The baselines beside the best candidate, in the same blocks as it; else those measured at the beginning.
std::vector<core::BaselineTiming> baselines_of(const ReportRun& run) {
  const core::Evaluation* const best = best_evaluation(run);
  if (best != nullptr && best->timing) return best->timing->baselines;
  return run.state.baselines.value_or(std::vector<core::BaselineTiming>{});
}

json bar(const std::string& label, const char* kind, const core::Interval& time) {
  return {{"label", label},     {"kind", kind},         {"us", time.median_us},
          {"low", time.low_us}, {"high", time.high_us}, {"text", interval_text(time)}};
}

/// Where the operations of a second can be at most, by the roofline that the judge used, in GFLOP/s.
double roof_of(const core::Timing& timing, const core::Cost& cost) {
  return timing.floor_us > 0 ? static_cast<double>(cost.flops) / timing.floor_us / 1e3 : 0;
}

}  // namespace

json bars_data(const ReportRun& run) {
  json bars = json::array();
  for (const core::BaselineTiming& baseline : baselines_of(run))
    if (baseline.time)
      bars.push_back(bar(baseline.name, baseline.library ? "library" : "baseline", *baseline.time));
  const core::CandidateState* const best = best_candidate(run.state);
  for (const core::CandidateState& candidate : run.state.candidates) {
    const core::EvaluationSummary* const summary = newest(candidate);
    if (summary == nullptr || !summary->time || summary->verdict != core::Verdict::correct) continue;
    bars.push_back(bar("candidate " + std::to_string(candidate.number),
                       &candidate == best ? "best" : "candidate", *summary->time));
  }
  return bars;
}

json roofline_data(const ReportRun& run) {
  const core::Evaluation* const best = best_evaluation(run);
  if (best == nullptr || !best->timing) return nullptr;
  const auto cost = core::cost_of(run.record.task);
  const core::Ceiling ceiling = core::bandwidth_ceiling(run.state.device);
  if (!cost || cost->flops <= 0 || cost->bytes <= 0 || ceiling.gbs <= 0) return nullptr;
  const auto flops = static_cast<double>(cost->flops);
  json points = json::array();
  for (const json& timed : bars_data(run)) {
    const double us = timed.at("us").get<double>();
    if (us > 0)
      points.push_back(
          {{"label", timed.at("label")}, {"kind", timed.at("kind")}, {"gflops", flops / us / 1e3}});
  }
  return {{"intensity", flops / static_cast<double>(cost->bytes)},
          {"bandwidth_gbs", ceiling.gbs},
          {"roof_gflops", roof_of(*best->timing, *cost)},
          {"measured", ceiling.measured},
          {"points", points}};
}

}  // namespace kgen::report
