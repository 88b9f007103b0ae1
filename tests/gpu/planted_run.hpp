#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "core/diagnosis.hpp"
#include "harness/cuda/handles.hpp"
#include "planted_suite.hpp"

namespace kgen::test {

/// The value, or an exception with the error's text: these programs have nobody else to tell.
template <class T, class E>
T take(tl::expected<T, E> result, const char* what) {
  if (!result) throw std::runtime_error(std::string(what) + ": " + result.error().message);
  return std::move(*result);
}
template <class E>
void require(const tl::expected<void, E>& result, const char* what) {
  if (!result) throw std::runtime_error(std::string(what) + ": " + result.error().message);
}

/// Buffers of the planted suite, of zeros.
struct PlantedTensors {
  cuda::DeviceBuffer x, y;
  static PlantedTensors zeros();
};

/// What kgen's profiler says of one planted kernel.
struct PlantedReading {
  profile::ProfileReading reading;  ///< with the static facts of its launch
  std::vector<core::Diagnosis> diagnosis;
  double ms = 0;  ///< from the request to the reading
};

/// Profiles planted kernels with the kgen-worker that $KGEN_WORKER names, else with the one beside this
/// program. Needs a current context. KGEN_NO_DENY: without the deny-list; KGEN_EACH_LAUNCH: ranges by CUPTI,
/// one a launch.
class PlantedProfiler {
 public:
  explicit PlantedProfiler(core::DeviceFacts device);
  PlantedReading profile(const Planted& planted);

 private:
  core::DeviceFacts device_;
  PlantedTensors tensors_;
  profile::Profiler profiler_;
};

}  // namespace kgen::test
