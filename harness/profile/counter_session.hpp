#pragma once

#include <functional>

#include "harness/profile/metric_host.hpp"

namespace kgen::profile {

/// What is run over and over until every counter has been collected.
struct PassWork {
  std::function<Status()> before;              ///< of each pass, outside every range: flush, restore
  std::vector<std::function<Status()>> steps;  ///< each puts one step on the device
  std::vector<bool> measured;                  ///< whether a step is a launch, measured as a range of its own
  std::function<Status()> wait;                ///< until the device is done with the steps so far
};

/// Who says where a range begins and ends.
enum class RangeKind { ours, each_launch };

/// The range profiler of one context, replayed by us, so that every pass starts from the same memory and the
/// same (flushed) caches. The library and the host outlive this.
class CounterSession {
 public:
  CounterSession(Cupti& cupti, MetricHost& host, RangeKind kind) : cupti_(cupti), host_(host), kind_(kind) {}
  /// Collects all metrics of the host for the measured steps, in order. Errors: missing, from CUPTI's codes.
  Result<std::vector<std::map<std::string, double, std::less<>>>> collect(CUcontext context,
                                                                          const PassWork& work);

 private:
  Status enable(CUcontext context, std::size_t ranges);
  Status run_pass(const PassWork& work, bool& all_submitted);
  Status run_steps(const PassWork& work);
  Status disable();
  Cupti& cupti_;
  MetricHost& host_;
  RangeKind kind_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace kgen::profile
