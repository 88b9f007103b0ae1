#pragma once

#include <functional>

#include "harness/profile/metric_host.hpp"

namespace kgen::profile {

/// One kernel launch of the plan, to be measured as a range of its own: puts it on the device and waits.
using RangeWork = std::function<Status()>;

/// What is run over and over until every counter has been collected.
struct PassWork {
  std::function<Status()> before;  ///< of each pass, outside every range: flush, restore
  std::vector<RangeWork> steps;    ///< a range each where `measured`
  std::vector<bool> measured;
};

/// The range profiler of one context: user ranges, replayed by us, so that every pass starts from the same
/// memory and the same (flushed) caches. The library and the host outlive this.
class CounterSession {
 public:
  CounterSession(Cupti& cupti, MetricHost& host) : cupti_(cupti), host_(host) {}
  /// Collects all metrics of the host for the measured steps, in order. Errors: missing, from CUPTI's codes.
  Result<std::vector<std::map<std::string, double, std::less<>>>> collect(CUcontext context,
                                                                          const PassWork& work);

 private:
  Status enable(CUcontext context, std::size_t ranges);
  Status run_pass(const PassWork& work, bool& all_submitted);
  Status disable();
  Cupti& cupti_;
  MetricHost& host_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace kgen::profile
