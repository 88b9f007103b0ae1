#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/device_facts.hpp"
#include "core/exit_code.hpp"
#include "selftest/trial_result.hpp"

/// A run of the suite as a person and as a program read it: pure functions from data to text.
namespace kgen::cli {

struct SelftestReport {
  core::DeviceFacts device;
  std::uint64_t seed = 0;
  std::vector<selftest::TrialResult> results;
  std::optional<Error> problem;  ///< what ended the suite early
};

/// ok where every trial ended well, not_met where one failed, else the code of what ended the suite early. A
/// failure counts before an early end.
core::ExitCode exit_code_of(const SelftestReport& report);

/// "12/185 softmax/zeros bf16: caught, wrong_result (values)".
std::string progress_line(std::size_t number, std::size_t total, const selftest::TrialResult& result);

/// The table of all trials, how many each check caught, and one last line that says how it went.
std::string selftest_text(const SelftestReport& report, bool color);

nlohmann::json selftest_json(const SelftestReport& report);

}  // namespace kgen::cli
