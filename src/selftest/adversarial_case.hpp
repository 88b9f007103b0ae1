#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/evaluation.hpp"
#include "core/op.hpp"

namespace kgen::selftest {

/// One kernel whose right verdict is known, as the second comment of its file says (docs/adversarial.md).
struct AdversarialCase {
  enum class Where { gpu, emulator_only, any };
  /// What is different on the emulator.
  struct OnEmulator {
    core::Dims dims;                    ///< of the task there; what is not named: the op's emulator shape
    std::vector<core::Verdict> accept;  ///< right there beside those of a GPU; `not_emulated` too
    std::string not_visible;            ///< why the trick does not show there; empty: it does
  };

  std::string name;    ///< "softmax/memo_of_results"
  std::string source;  ///< the candidate file, whole
  std::string op;
  std::vector<core::DType> dtypes;
  core::Dims dims;                    ///< of the task; what is not named comes from the op's default task
  std::string misbehaves;             ///< one sentence: how, on an H200
  std::vector<core::Verdict> accept;  ///< the right verdicts
  bool neutralised_ok = false;        ///< `correct` is right too: the trick only has no effect
  bool known_good = false;            ///< no trick: `correct` is the only right verdict
  Where where = Where::gpu;
  bool timing = false;  ///< the trick concerns the measured time
  /// A variant without the trick: the kernel may not be reported faster than this one.
  std::optional<std::map<std::string, std::int64_t>> honest_variant;
  OnEmulator on_emulator;
  std::string needs;                       ///< the only check that can see it: "memcheck"; may be empty
  std::vector<std::string> must_not_leak;  ///< texts that may stand nowhere in the evaluation
};

/// Reads the case from a file's text: `/*adversarial {...} */` behind the plan. Errors: bad_input naming the
/// file and the field.
Result<AdversarialCase> parse_case(std::string_view name, std::string_view source);

}  // namespace kgen::selftest
