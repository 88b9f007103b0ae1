#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "harness/profile/counter_session.hpp"
#include "harness/profile/pc_sampler.hpp"
#include "harness/run/run_role.hpp"

namespace kgen::profile {

/// A run process that also profiles: the run role with CUPTI opened beside it. A process counts or samples,
/// as its start request says: CUPTI does one of both in a process.
///   request  {"call": "profile", "set": 0, "sequence": ..., "restore": ["x"], "flush_bytes": n}
///   answer   {"ok": {"launches": [{"step", "metrics"}], "lines": [{"kernel", "line", "metrics"}], ...}}
/// Everything that stands in CUPTI's way is part of the answer ("problem"), never a failure.
class ProfileRole {
 public:
  run::RunResult<nlohmann::json> answer(const run::Frame& request, const nlohmann::json& json);

 private:
  struct Job;
  void open_cupti(const cuda::Context& context, const std::string& mode);
  Status prepare_counters(const cuda::Context& context);
  run::RunResult<nlohmann::json> profile(const nlohmann::json& json);
  run::RunResult<void> begin_job(Job& job, const nlohmann::json& json);
  run::RunResult<void> before_execution(const Job& job);
  run::RunResult<nlohmann::json> count(const Job& job);
  run::RunResult<nlohmann::json> sample(const Job& job);
  nlohmann::json lines_of(const SampleReading& reading, const Job& job);

  run::RunRole run_;
  std::string cubin_;  ///< of the candidate, for its line table
  std::optional<Cupti> cupti_;
  std::optional<MetricHost> host_;
  std::optional<PcSampler> sampler_;
  RangeKind ranges_ = RangeKind::ours;
  std::optional<Error> problem_;
};

}  // namespace kgen::profile
