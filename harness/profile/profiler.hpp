#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/profile.hpp"
#include "harness/run/run_pool.hpp"

namespace kgen::profile {

/// One execution of a plan to be looked at.
struct ProfileJob {
  std::string cubin;
  std::vector<run::KernelToLoad> kernels;
  run::LaunchSequence sequence;
  run::BufferSet buffers;            ///< prepared: what the plan changes in place is as it should be
  std::vector<std::string> restore;  ///< names of what it changes in place
  std::int64_t flush_bytes = 0;      ///< before each execution
  run::Milliseconds limit{20000};    ///< of each of the two processes
};

/// What came out of it. Whatever could not be had is a gap; nothing of it is ever an error of the
/// candidate's.
struct ProfileReading {
  std::vector<core::KernelProfile> kernels;  ///< by the plan's names, in the order of their first launch
  std::vector<core::ProfileGap> gaps;
  std::vector<std::string> not_available;
  std::vector<std::string>
      diary;  ///< every call of CUPTI, for `kgen profile --json` and for those who look for a fault
};

/// The judge's end of the profile role: one process that counts and one that samples a candidate, each
/// started ahead and used once. They run one after the other.
class Profiler {
 public:
  /// `options`: those of run processes, with the command of the profile role. Starts one process of each
  /// kind.
  static Result<Profiler> create(const run::RunOptions& options);

  ProfileReading profile(const ProfileJob& job);

  /// Starts the processes for the next candidate: when nothing is measured.
  Status refill();
  /// Waits until they are up, so that no start disturbs a measurement.
  Status settle();

 private:
  Profiler(run::RunPool counters, run::RunPool samples)
      : counters_(std::move(counters)), samples_(std::move(samples)) {}
  run::RunPool counters_, samples_;
};

}  // namespace kgen::profile
