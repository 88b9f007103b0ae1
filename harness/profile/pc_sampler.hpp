#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/profile/cupti_library.hpp"

namespace kgen::profile {

/// Samples of one instruction: how often warps stood there, by reason.
struct PcSamples {
  std::string function;  ///< as the cubin names it
  std::uint64_t offset = 0;
  std::map<std::string, std::uint64_t, std::less<>>
      by_reason;  ///< "long_scoreboard", "long_scoreboard_not_issued"
};

/// Everything that one range of sampling gave.
struct SampleReading {
  std::vector<PcSamples> instructions;
  std::uint64_t total = 0, dropped = 0, of_others = 0;  ///< others: kernels that are no user's
};

/// CUPTI's PC sampling of one context. It is enabled before the module is loaded, or nothing is told apart.
class PcSampler {
 public:
  /// Enables and configures. Errors: missing, from CUPTI's codes. The library outlives this.
  static Result<PcSampler> enable(Cupti& cupti, CUcontext context);
  PcSampler(PcSampler&&) noexcept;
  PcSampler& operator=(PcSampler&&) noexcept;
  ~PcSampler();

  Status start();
  Status stop();
  /// What was sampled since the last reading.
  Result<SampleReading> read();

  /// A warp scheduler's state is looked at once in 2^kPeriod cycles: some thousand times in the time that one
  /// profile samples, and far below what fills the buffers where all multiprocessors are busy.
  static constexpr std::uint32_t kPeriod = 14;

 private:
  struct Buffers;
  PcSampler(Cupti& cupti, CUcontext context, std::unique_ptr<Buffers> buffers);
  Status read_reasons();
  Status configure();
  Cupti* cupti_;
  CUcontext context_;
  std::unique_ptr<Buffers> buffers_;
};

/// The line of the candidate's file (`file`: how it is called in the cubin) that an instruction comes from; 0
/// where it is of another file or not told.
int line_of(Cupti& cupti, const std::string& cubin, const std::string& function, std::uint64_t offset,
            const std::string& file);

}  // namespace kgen::profile
