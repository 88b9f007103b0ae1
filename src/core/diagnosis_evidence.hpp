#pragma once

#include <functional>
#include <initializer_list>
#include <optional>

#include "core/diagnosis.hpp"

/// What rules of a diagnosis are written in; core/diagnosis.hpp is what others use.
namespace kgen::core::rules {

/// Of a peak: from here on a unit counts as busy (Nsight Compute: "Speed Of Light", 60% is its lower mark).
inline constexpr double kHighUse = 0.6;

/// A kernel's metrics as a rule asks for them.
class Evidence {
 public:
  Evidence(const KernelProfile& kernel, const ProfileTask& task) : kernel_(kernel), task_(task) {}

  const KernelProfile& kernel() const { return kernel_; }
  const ProfileTask& task() const { return task_; }
  /// Counted, or nothing.
  std::optional<double> get(std::string_view name) const;
  /// The same with 0 for what was not counted: for sums of parts.
  double sum(std::initializer_list<std::string_view> names) const;
  /// A percentage as 0..1; one of the elapsed time as of the part of it that the kernel itself took (span()).
  std::optional<double> share(std::string_view name) const;
  /// The largest of these percentages that were counted, as 0..1.
  std::optional<double> largest(std::initializer_list<std::string_view> names) const;

  /// Whether something was timed here: else only work was counted.
  bool timed() const { return has_metric(kernel_.metrics, metrics::kDuration); }
  /// Microseconds of the kernel's own work, all launches together. The counted time holds the profiler's own
  /// start and end of each launch (some 30 to 90 us on an H200), so where multiprocessors' cycles were
  /// counted it is those of the busiest at the counted clock, and never more than the counted time.
  double duration_us() const;
  /// The part of the counted time that is the kernel's own, 0..1.
  double span() const;
  /// How much of the busiest unit's peak is used: of memory, of the multiprocessors, of both; 0..1. 1 where
  /// nothing was timed.
  double memory_use() const;
  double sm_use() const;
  double use() const;
  /// How long the average multiprocessor works of the time that the busiest does, 0..1: what is measured
  /// while multiprocessors are active costs this part of the kernel's time, the rest is the tail's. 1 where
  /// it was not counted.
  double balance() const;
  /// Of 32 lanes, those that the average instruction works for, 0..1.
  double lanes() const;
  double dram_use() const;
  /// The part of the time a warp spends between two instructions that it waits for these reasons, 0..1.
  double stalled(std::initializer_list<std::string_view> reasons) const;

  /// Lines by how often warps were seen waiting for these reasons; at most three, none below a twentieth of
  /// all. Without samples: by what `count` gives for a line.
  std::vector<int> lines(std::initializer_list<std::string_view> reasons,
                         const std::function<double(const Metrics&)>& count = {}) const;

  Diagnosis say(std::string rule, double weight, std::string what, std::vector<int> lines,
                std::string advice) const;

 private:
  const KernelProfile& kernel_;
  const ProfileTask& task_;
};

using Rule = std::optional<Diagnosis> (*)(const Evidence&);

// diagnosis_memory.cpp
std::optional<Diagnosis> dram_bound(const Evidence& evidence);
std::optional<Diagnosis> extra_traffic(const Evidence& evidence);
std::optional<Diagnosis> l2_bound(const Evidence& evidence);
std::optional<Diagnosis> uncoalesced(const Evidence& evidence);
std::optional<Diagnosis> bank_conflicts(const Evidence& evidence);
std::optional<Diagnosis> local_memory(const Evidence& evidence);
std::optional<Diagnosis> atomics(const Evidence& evidence);
std::optional<Diagnosis> bytes_in_flight(const Evidence& evidence);
// diagnosis_execution.cpp
std::optional<Diagnosis> tensor_idle(const Evidence& evidence);
std::optional<Diagnosis> pipe_bound(const Evidence& evidence);
std::optional<Diagnosis> issue_bound(const Evidence& evidence);
std::optional<Diagnosis> divergence(const Evidence& evidence);
std::optional<Diagnosis> barrier_bound(const Evidence& evidence);
std::optional<Diagnosis> latency_bound(const Evidence& evidence);
// diagnosis_launch.cpp
std::optional<Diagnosis> occupancy(const Evidence& evidence);
std::optional<Diagnosis> small_grid(const Evidence& evidence);
std::optional<Diagnosis> tail_effect(const Evidence& evidence);
std::optional<Diagnosis> launch_bound(const Evidence& evidence);

/// "3.2 million", "0.25", "12".
std::string figure(double value);
/// "37%".
std::string percent(double share);

}  // namespace kgen::core::rules
