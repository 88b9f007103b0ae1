#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/profile/cupti_library.hpp"
#include "harness/profile/metric_table.hpp"

namespace kgen::profile {

/// A metric of the table and the name that this chip has for it.
struct ChosenMetric {
  std::string recorded, asked;
};

/// CUPTI's host side for one chip: which metrics it has, how they are collected, what the counters mean.
/// Needs no device: any chip that CUPTI knows can be asked for.
class MetricHost {
 public:
  /// `availability`: of the device at hand; empty: what the chip has as a rule. The library outlives this.
  static Result<MetricHost> open(Cupti& cupti, const std::string& chip,
                                 std::vector<std::uint8_t> availability);
  MetricHost(MetricHost&& other) noexcept;
  MetricHost& operator=(MetricHost&& other) noexcept;
  ~MetricHost();

  /// Whether the chip has it. Asked one by one: a name that it lacks would spoil every later request.
  bool supports(const std::string& metric) const;
  /// Chooses from the wishes and prepares their collection; once an object. Errors: missing (nothing of
  /// them).
  Status prepare(const std::vector<WantedMetric>& wishes);

  const std::vector<ChosenMetric>& chosen() const { return chosen_; }
  /// Names of the wishes that the chip has nothing for.
  const std::vector<std::string>& not_available() const { return not_available_; }
  const std::vector<std::uint8_t>& config() const { return config_; }
  /// Names as CUPTI takes them; valid as long as this.
  std::vector<const char*> names() const;
  std::size_t passes() const { return passes_; }

  /// The values of one range, by recorded name; what CUPTI cannot tell (NaN, infinity) is left out.
  Result<std::map<std::string, double, std::less<>>> evaluate(const std::vector<std::uint8_t>& counter_data,
                                                              std::size_t range) const;

 private:
  MetricHost(Cupti& cupti, CUpti_Profiler_Host_Object* host, std::vector<std::uint8_t> availability)
      : cupti_(&cupti), host_(host), availability_(std::move(availability)) {}
  Cupti* cupti_;
  CUpti_Profiler_Host_Object* host_;
  std::vector<std::uint8_t> availability_;  ///< CUPTI keeps its address
  std::vector<ChosenMetric> chosen_;
  std::vector<std::string> not_available_;
  std::vector<std::uint8_t> config_;
  std::size_t passes_ = 0;
};

}  // namespace kgen::profile
