#include "harness/profile/counter_session.hpp"

#include <algorithm>

namespace kgen::profile {
namespace {

/// More than any metric set takes: a replay that never ends is an error, not a hang.
constexpr std::size_t kSparePasses = 8;

}  // namespace

Status CounterSession::enable(CUcontext context, std::size_t ranges) {
  CUpti_RangeProfiler_Enable_Params enable{};
  enable.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
  enable.ctx = context;
  KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerEnable, &enable));
  profiler_ = enable.pRangeProfilerObject;
  auto names = host_.names();
  CUpti_RangeProfiler_GetCounterDataSize_Params size{};
  size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
  KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerGetCounterDataSize, &size));
  counter_data_.assign(size.counterDataSize, 0);
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params image{};
  image.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
  image.pRangeProfilerObject = profiler_;
  image.counterDataSize = counter_data_.size();
  image.pCounterData = counter_data_.data();
  KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerCounterDataImageInitialize, &image));
  CUpti_RangeProfiler_SetConfig_Params config{};
  config.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE;
  config.pRangeProfilerObject = profiler_;
  config.configSize = host_.config().size();
  config.pConfig = host_.config().data();
  config.counterDataImageSize = counter_data_.size();
  config.pCounterDataImage = counter_data_.data();
  config.range = kind_ == RangeKind::ours ? CUPTI_UserRange : CUPTI_AutoRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = ranges;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 1;
  return KGEN_CUPTI(cupti_, cuptiRangeProfilerSetConfig, &config);
}

Status CounterSession::run_steps(const PassWork& work) {
  std::size_t range = 0;
  for (std::size_t i = 0; i < work.steps.size(); ++i) {
    if (!work.measured[i] || kind_ == RangeKind::each_launch) {
      KGEN_CHECK(work.steps[i]());
      continue;
    }
    const std::string name = std::to_string(range++);
    CUpti_RangeProfiler_PushRange_Params push{};
    push.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE;
    push.pRangeProfilerObject = profiler_;
    push.pRangeName = name.c_str();
    KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerPushRange, &push));
    KGEN_CHECK(work.steps[i]());
    // The end of the range is put behind the launch at once: a wait here would be counted with it.
    CUpti_RangeProfiler_PopRange_Params pop{};
    pop.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE;
    pop.pRangeProfilerObject = profiler_;
    KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerPopRange, &pop));
    KGEN_CHECK(work.wait());
  }
  return work.wait();
}

Status CounterSession::run_pass(const PassWork& work, bool& all_submitted) {
  if (work.before) KGEN_CHECK(work.before());
  CUpti_RangeProfiler_Start_Params start{};
  start.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
  start.pRangeProfilerObject = profiler_;
  KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerStart, &start));
  KGEN_CHECK(run_steps(work));
  CUpti_RangeProfiler_Stop_Params stop{};
  stop.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
  stop.pRangeProfilerObject = profiler_;
  KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerStop, &stop));
  all_submitted = stop.isAllPassSubmitted != 0;
  return {};
}

Status CounterSession::disable() {
  CUpti_RangeProfiler_Disable_Params disable{};
  disable.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
  disable.pRangeProfilerObject = profiler_;
  return KGEN_CUPTI(cupti_, cuptiRangeProfilerDisable, &disable);
}

Result<std::vector<std::map<std::string, double, std::less<>>>> CounterSession::collect(
    CUcontext context, const PassWork& work) {
  const auto ranges = static_cast<std::size_t>(std::count(work.measured.begin(), work.measured.end(), true));
  std::vector<std::map<std::string, double, std::less<>>> out;
  if (ranges == 0) return out;
  KGEN_CHECK(enable(context, ranges));
  bool all_submitted = false;
  std::size_t passes = 0;
  while (!all_submitted) {
    if (++passes > host_.passes() + kSparePasses) {
      return fail(ErrorKind::missing, "the counters were not complete after " + std::to_string(passes - 1) +
                                          " passes where " + std::to_string(host_.passes()) +
                                          " were planned");
    }
    KGEN_CHECK(run_pass(work, all_submitted));
  }
  cupti_.write(std::to_string(passes) + " passes");
  CUpti_RangeProfiler_DecodeData_Params decode{};
  decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
  decode.pRangeProfilerObject = profiler_;
  KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerDecodeData, &decode));
  CUpti_RangeProfiler_GetCounterDataInfo_Params info{};
  info.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerGetCounterDataInfo, &info));
  cupti_.write(std::to_string(info.numTotalRanges) + " ranges, " + std::to_string(decode.numOfRangeDropped) +
               " dropped");
  if (info.numTotalRanges != ranges) {
    return fail(ErrorKind::missing, "counters of " + std::to_string(info.numTotalRanges) + " launches of " +
                                        std::to_string(ranges));
  }
  out.resize(ranges);
  for (std::size_t i = 0; i < ranges; ++i) {
    CUpti_RangeProfiler_CounterData_GetRangeInfo_Params name{};
    name.structSize = CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE;
    name.pCounterDataImage = counter_data_.data();
    name.counterDataImageSize = counter_data_.size();
    name.rangeIndex = i;
    name.rangeDelimiter = "/";
    KGEN_CHECK(KGEN_CUPTI(cupti_, cuptiRangeProfilerCounterDataGetRangeInfo, &name));
    const std::string text = name.rangeName == nullptr ? "" : name.rangeName;
    cupti_.write("range " + std::to_string(i) + " is '" + text + "'");
    std::size_t place = i;
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
      place = std::min<std::size_t>(std::stoul(text), ranges - 1);
    KGEN_TRY(out[place], host_.evaluate(counter_data_, i));
  }
  KGEN_CHECK(disable());
  return out;
}

}  // namespace kgen::profile
