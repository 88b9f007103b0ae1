#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/op.hpp"
#include "core/profile.hpp"
#include "util/error.hpp"

namespace kgen::core {

/// The closed set of verdicts (docs/verification.md holds the table defect -> verdict -> outcome -> exit
/// code).
enum class Verdict {
  reply_invalid,
  plan_invalid,
  policy_violation,
  compile_error,
  unsupported_arch,
  launch_error,
  fault,
  timeout,
  wrong_result,
  out_of_bounds,
  input_modified,
  hidden_state,
  nondeterministic,
  race,
  bad_sync,
  uninitialised_read,
  not_covered,
  not_run,
  not_emulated,
  correct,
};
std::string_view name_of(Verdict verdict);
std::optional<Verdict> parse_verdict(std::string_view name);

enum class Tier { screen, promotion };

/// One message of the compiler about the candidate's own lines.
struct Diagnostic {
  std::string severity;  ///< "error", "warning", "note"
  int line = 0;          ///< in the candidate file, from 1; 0: elsewhere
  std::string message;
  std::string source_line;
};

/// What the compiler and the driver say of one kernel. -1: not known.
struct KernelFacts {
  std::string name;
  int registers = -1;
  std::int64_t spill_bytes = -1, stack_bytes = -1, static_shared_bytes = -1, dynamic_shared_bytes = 0;
  int threads_per_block = 0;
  int blocks_per_sm = -1;       ///< occupancy, as the driver computes it
  double occupancy = -1;        ///< active warps over the most an SM holds, 0..1
  std::string occupancy_limit;  ///< "registers", "shared memory", "threads", "blocks"
};

struct CompileReport {
  bool ok = false;
  std::vector<Diagnostic> diagnostics;
  std::vector<KernelFacts> kernels;
  std::vector<std::string> performance_warnings;  ///< C7508, C7510, ...
  std::string log;                                ///< cut to 16 KiB
  double ms = 0;
};

/// One element that is not what it should be.
struct WrongElement {
  std::string tensor;
  std::vector<std::int64_t> index;
  double expected = 0, got = 0, tolerance = 0;
};

struct Mismatch {
  std::int64_t wrong = 0, total = 0;
  std::vector<WrongElement> worst;  ///< at most 8
  std::string pattern;              ///< "all wrong elements have cols >= 8185: tail"; may be empty
};

/// Check::worst_ratio where no number would say it: values that must be equal differ.
constexpr double kInfiniteRatio = 1e300;

/// One check that ran, or could not.
struct Check {
  enum class State { passed, failed, skipped };
  /// "values", "guards", "inputs", "deterministic", "hidden_state", "task_shape"; of a promotion also
  /// "made_shape", "made_shapes", "emulated" (what the emulator left out), "memcheck", "initcheck",
  /// "racecheck", "synccheck", "sanitized_programs", "sanitized_threads", "soak", "large" (skipped: also
  /// "larger", more than 2^32 elements, "large_other_dim", "large_plane", "large_entry" and "large_inputs"),
  /// "steps"
  std::string name;
  State state = State::passed;
  Dims dims;
  Attributes attributes;
  std::string distribution;
  std::uint64_t seed = 0;
  double worst_ratio = 0;  ///< largest error over its tolerance; at most 1 where it passed, or kInfiniteRatio
  std::string detail;      ///< why it failed or was skipped
  std::optional<Mismatch> mismatch;
};

/// A median with its 95% interval, microseconds.
struct Interval {
  double median_us = 0, low_us = 0, high_us = 0;
  int samples = 0;
};

struct BaselineTiming {
  std::string name;      ///< "naive", "torch eager", "torch.compile"
  bool library = false;  ///< counts for "faster than the best library"
  std::string process;   ///< "judge", "run", "torch"
  std::optional<Interval> time;
  std::string why_missing;
  double speedup = 0, speedup_low = 0, speedup_high = 0;  ///< baseline over candidate, paired blocks
  std::string detail;  ///< what was chosen: "the quickest of 32 algorithms"
};

struct Timing {
  Interval candidate;
  std::vector<BaselineTiming> baselines;
  std::string method;   ///< "stream" or "graph"
  double floor_us = 0;  ///< by the roofline below
  double percent_of_roofline = 0;
  bool ceiling_measured = false;  ///< else "of datasheet"
  double plausible_floor_us = 0;  ///< datasheet floor; faster than this sets `implausible_time`
  int checked_launches = 0;       ///< timed launches whose outputs were checked
  double sm_clock_mhz = 0, power_w = 0, temperature_c = 0;
  std::string throttle;  ///< NVML's reasons; empty: none
};

/// Time of a stage of an evaluation; "checks/launches" is a part of "checks".
struct Stage {
  std::string name;
  double ms = 0;
};

/// What the judge found: a verdict and its evidence.
struct Evaluation {
  Verdict verdict = Verdict::not_run;
  std::string kind;                ///< finer: "misaligned", "illegal_address", "argument_count"
  std::string message;             ///< one sentence
  std::vector<std::string> flags;  ///< implausible_time, noisy, throttled,
                                   ///< async_barrier_unchecked, sanitizer_unfinished, program_unsanitized,
                                   ///< step_never_run, branch_never_taken, only_task_shape,
                                   ///< long_shape_unfinished, attribute_never_varied,
                                   ///< unchecked_for_workspace
  Tier tier = Tier::screen;
  std::uint64_t seed = 0;
  std::string device;
  std::map<std::string, std::int64_t> variant;
  CompileReport compile;
  std::vector<Check> checks;
  int shapes_covered = 0, shapes_total = 0;
  std::vector<std::string> not_covered;  ///< "cols=1023: requires cols % 8 == 0"
  std::optional<Timing> timing;
  std::optional<Profile> profile;  ///< of one execution at the task's shape
  std::vector<Stage> stages;
  /// What the kernel printed: at most 4 KiB, without escape sequences. Its own words, never the judge's.
  std::string kernel_output;
};

nlohmann::json baseline_to_json(const BaselineTiming& baseline);
Result<BaselineTiming> baseline_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Evaluation& evaluation);
Result<Evaluation> evaluation_from_json(const nlohmann::json& json);

}  // namespace kgen::core
