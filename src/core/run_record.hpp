#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/device_facts.hpp"
#include "core/evaluation.hpp"
#include "core/exit_code.hpp"
#include "core/task.hpp"

namespace kgen::core {

/// How a finished run ended (docs/run-directory.md has the table).
enum class Outcome { target_met, faster, below_target, keep_library, no_correct_kernel, unmeasured };
std::string_view name_of(Outcome outcome);
std::optional<Outcome> parse_outcome(std::string_view name);
ExitCode exit_code_for(Outcome outcome);

/// What a run is to reach.
struct Target {
  enum class Kind {
    automatic,  ///< faster than the best library for sure (interval above 1.0x); where there is none, 80% of
                ///< roofline
    speedup,    ///< the interval's lower bound of the speed-up over the best library is at least `value`
    roofline,   ///< at least `value` percent of roofline
  };
  Kind kind = Kind::automatic;
  double value = 0;
};
/// "auto", "1.1x" or "90%". Errors: bad_input naming the three forms.
Result<Target> parse_target(std::string_view text);
/// The form parse_target reads.
std::string text_of(const Target& target);

/// What a run may spend; a limit that is absent is none.
struct Budget {
  int candidates = 12;
  std::optional<std::int64_t> tokens;  ///< input plus output
  std::optional<double> dollars;
  std::optional<double> minutes;  ///< of kgen at work, all sessions of the run together
};

/// How a run searches.
struct SearchOptions {
  Target target;
  Budget budget;
  int explore = 3;       ///< different plans asked for first
  int repairs = 3;       ///< turns to repair one plan that does not compile or is wrong
  int plateau = 4;       ///< correct candidates in a row that are no faster than the best: stop
  int parallel = 1;      ///< calls open at once
  int variants = 64;     ///< most variants of a correct candidate that are timed; below 2: none
  bool general = false;  ///< every check shape must be covered
  double kernel_timeout_s = 20;
  bool diagnosis = true;  ///< prompts show what profiles found; evaluations keep it all the same
};

/// run.json: what a run was started with; written once.
struct RunRecord {
  std::string name;        ///< of the folder
  std::string created_at;  ///< UTC
  Task task;
  DeviceFacts device;
  SearchOptions search;
  std::string provider;
  std::string model;
  std::uint64_t seed = 0;                       ///< every evaluation's seed follows from it
  std::map<std::string, std::string> versions;  ///< "kgen", "worker", "cuda", "driver"
  std::string config = "{}";  ///< JSON object: what the command line needs to go on (no secret)
};

inline constexpr int kRunRecordVersion = 1;
nlohmann::json to_json(const SearchOptions& options);
Result<SearchOptions> search_options_from_json(const nlohmann::json& json);
nlohmann::json to_json(const RunRecord& record);
Result<RunRecord> run_record_from_json(const nlohmann::json& json);

/// What the search needs of an evaluation; the whole is in the candidate's folder.
struct EvaluationSummary {
  Tier tier = Tier::screen;
  Verdict verdict = Verdict::not_run;
  std::string kind, message;
  std::vector<std::string> flags;
  std::string device;
  std::optional<Interval> time;
  std::string library;  ///< the strongest library baseline that was timed; empty: none
  double speedup = 0, speedup_low = 0, speedup_high = 0;  ///< over it
  double percent_of_roofline = 0;
  bool ceiling_measured = false;
};
EvaluationSummary summarize(const Evaluation& evaluation);
/// Whether a correct, timed evaluation reaches the target. An implausible time never does.
bool meets(const Target& target, const EvaluationSummary& summary);
bool has_flag(const EvaluationSummary& summary, std::string_view flag);

nlohmann::json to_json(const EvaluationSummary& summary);
Result<EvaluationSummary> evaluation_summary_from_json(const nlohmann::json& json);

}  // namespace kgen::core
