#pragma once

#include <cuda.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <filesystem>
#include <string>
#include <vector>

#include "util/clock.hpp"
#include "util/error.hpp"

/// The functions of libcupti that the profile role calls. Add a name here to use it.
// clang-format off
#define KGEN_CUPTI_FUNCTIONS(X) \
  X(cuptiGetVersion) \
  X(cuptiDeviceGetChipName) \
  X(cuptiProfilerInitialize) \
  X(cuptiProfilerDeviceSupported) \
  X(cuptiProfilerGetCounterAvailability) \
  X(cuptiProfilerHostInitialize) \
  X(cuptiProfilerHostDeinitialize) \
  X(cuptiProfilerHostGetSupportedChips) \
  X(cuptiProfilerHostGetMetricProperties) \
  X(cuptiProfilerHostConfigAddMetrics) \
  X(cuptiProfilerHostGetConfigImageSize) \
  X(cuptiProfilerHostGetConfigImage) \
  X(cuptiProfilerHostGetNumOfPasses) \
  X(cuptiProfilerHostEvaluateToGpuValues) \
  X(cuptiRangeProfilerEnable) \
  X(cuptiRangeProfilerDisable) \
  X(cuptiRangeProfilerGetCounterDataSize) \
  X(cuptiRangeProfilerCounterDataImageInitialize) \
  X(cuptiRangeProfilerSetConfig) \
  X(cuptiRangeProfilerStart) \
  X(cuptiRangeProfilerStop) \
  X(cuptiRangeProfilerPushRange) \
  X(cuptiRangeProfilerPopRange) \
  X(cuptiRangeProfilerDecodeData) \
  X(cuptiRangeProfilerGetCounterDataInfo) \
  X(cuptiRangeProfilerCounterDataGetRangeInfo) \
  X(cuptiPCSamplingGetNumStallReasons) \
  X(cuptiPCSamplingGetStallReasons) \
  X(cuptiPCSamplingSetConfigurationAttribute) \
  X(cuptiPCSamplingEnable) \
  X(cuptiPCSamplingStart) \
  X(cuptiPCSamplingStop) \
  X(cuptiPCSamplingGetData) \
  X(cuptiGetSassToSourceCorrelation)
// clang-format on

namespace kgen::profile {

/// Addresses in libcupti, one member a function.
struct CuptiTable {
#define KGEN_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
  KGEN_CUPTI_FUNCTIONS(KGEN_CUPTI_MEMBER)
#undef KGEN_CUPTI_MEMBER
};

/// libcupti (13 or 12), opened at run time by the profile role alone, with a diary of every call.
class Cupti {
 public:
  /// `folders` are looked at first; libnvperf_host and libnvperf_target are opened from the same folder,
  /// where CUPTI would look for them by name only. Errors: missing, saying what was looked for.
  static Result<Cupti> open(const std::vector<std::filesystem::path>& folders);

  const CuptiTable& table() const { return table_; }
  /// "13.0.85 of .../libcupti.so.13"
  std::string description() const;

  /// One call: its code and time go into the diary; a code that is no success is an error whose hint says
  /// what to do (explain_code).
  template <class... Args, class... Given>
  Status call(CUptiResult (*function)(Args...), const char* name, Given... args) {
    const util::Stopwatch watch;
    const CUptiResult code = function(args...);
    return note(code, name, watch.elapsed_ms());
  }
  const std::vector<std::string>& diary() const { return diary_; }
  void write(std::string line) { diary_.push_back(std::move(line)); }

 private:
  Status note(CUptiResult code, const char* name, double ms);
  CuptiTable table_;
  std::filesystem::path path_;
  std::vector<std::string> diary_;
};

/// "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" and what a person does about it; the advice is empty where there is
/// none.
struct CodeText {
  std::string name, meaning, advice;
};
CodeText explain_code(int code);

/// How a person gets CUPTI.
std::string install_advice();

/// Folders of this machine's toolkits that may hold libcupti, best first.
std::vector<std::filesystem::path> cupti_folders();

}  // namespace kgen::profile

/// KGEN_CHECK(KGEN_CUPTI(cupti, cuptiRangeProfilerStart, &params));
#define KGEN_CUPTI(cupti, function, ...) (cupti).call((cupti).table().function, #function, __VA_ARGS__)
