#include "harness/profile/metric_host.hpp"

#include <cmath>
#include <utility>

namespace kgen::profile {

Result<MetricHost> MetricHost::open(Cupti& cupti, const std::string& chip,
                                    std::vector<std::uint8_t> availability) {
  CUpti_Profiler_Host_Initialize_Params params{};
  params.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip.c_str();
  params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  KGEN_CHECK(KGEN_CUPTI(cupti, cuptiProfilerHostInitialize, &params));
  return MetricHost(cupti, params.pHostObject, std::move(availability));
}

MetricHost::MetricHost(MetricHost&& other) noexcept
    : cupti_(other.cupti_),
      host_(std::exchange(other.host_, nullptr)),
      availability_(std::move(other.availability_)),
      chosen_(std::move(other.chosen_)),
      not_available_(std::move(other.not_available_)),
      config_(std::move(other.config_)),
      passes_(other.passes_) {}

MetricHost& MetricHost::operator=(MetricHost&& other) noexcept {
  std::swap(cupti_, other.cupti_);
  std::swap(host_, other.host_);
  std::swap(availability_, other.availability_);
  std::swap(chosen_, other.chosen_);
  std::swap(not_available_, other.not_available_);
  std::swap(config_, other.config_);
  std::swap(passes_, other.passes_);
  return *this;
}

MetricHost::~MetricHost() {
  if (host_ == nullptr) return;
  CUpti_Profiler_Host_Deinitialize_Params params{};
  params.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
  params.pHostObject = host_;
  (void)cupti_->table().cuptiProfilerHostDeinitialize(&params);
}

bool MetricHost::supports(const std::string& metric) const {
  CUpti_Profiler_Host_GetMetricProperties_Params params{};
  params.structSize = CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE;
  params.pHostObject = host_;
  params.pMetricName = metric.c_str();
  return cupti_->table().cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

std::vector<const char*> MetricHost::names() const {
  std::vector<const char*> out;
  for (const ChosenMetric& metric : chosen_) out.push_back(metric.asked.c_str());
  return out;
}

Status MetricHost::prepare(const std::vector<WantedMetric>& wishes) {
  for (const WantedMetric& wish : wishes) {
    std::vector<std::string_view> tries = {wish.name};
    tries.insert(tries.end(), wish.instead.begin(), wish.instead.end());
    bool found = false;
    for (const std::string_view name : tries) {
      if (found || !supports(std::string(name))) continue;
      chosen_.push_back({std::string(wish.name), std::string(name)});
      found = true;
    }
    if (!found) not_available_.emplace_back(wish.name);
  }
  if (chosen_.empty()) return fail(ErrorKind::missing, "the chip has none of the metrics of a profile");
  auto asked = names();
  CUpti_Profiler_Host_ConfigAddMetrics_Params add{};
  add.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
  add.pHostObject = host_;
  add.ppMetricNames = asked.data();
  add.numMetrics = asked.size();
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerHostConfigAddMetrics, &add));
  CUpti_Profiler_Host_GetConfigImageSize_Params size{};
  size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
  size.pHostObject = host_;
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerHostGetConfigImageSize, &size));
  config_.resize(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params image{};
  image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerHostGetConfigImage, &image));
  CUpti_Profiler_Host_GetNumOfPasses_Params passes{};
  passes.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
  passes.configImageSize = config_.size();
  passes.pConfigImage = config_.data();
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerHostGetNumOfPasses, &passes));
  passes_ = passes.numOfPasses;
  return {};
}

Result<std::map<std::string, double, std::less<>>> MetricHost::evaluate(
    const std::vector<std::uint8_t>& counter_data, std::size_t range) const {
  auto asked = names();
  std::vector<double> values(asked.size(), std::nan(""));
  CUpti_Profiler_Host_EvaluateToGpuValues_Params params{};
  params.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
  params.pHostObject = host_;
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = asked.data();
  params.numMetrics = asked.size();
  params.pMetricValues = values.data();
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerHostEvaluateToGpuValues, &params));
  std::map<std::string, double, std::less<>> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) out[chosen_[i].recorded] = values[i];
  }
  return out;
}

}  // namespace kgen::profile
