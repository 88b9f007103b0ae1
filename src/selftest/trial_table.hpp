#pragma once

#include <map>
#include <string>
#include <vector>

#include "selftest/trial_result.hpp"

/// The results of the suite as a person reads them: pure functions from data to text.
namespace kgen::selftest {

/// Heading and one line of the table, in columns of fixed width, so that each line can be written as its
/// trial ends. A failure is followed by an indented line: what was expected, and the judge's own sentence.
std::string table_heading();
std::string table_line(const TrialResult& result);

/// What caught a kernel: the check that failed first, or, where no check had to run, the verdict that was
/// reached before ("compile_error"). Empty where nothing was caught.
std::string catcher_of(const TrialResult& result);
/// How many kernels each check caught, by name.
std::map<std::string, int> caught_by_check(const std::vector<TrialResult>& results);
/// The same as a table, the check that caught most first; empty where nothing was caught.
std::string checks_table(const std::vector<TrialResult>& results);

/// How many results have each outcome, by its name; `ACCEPTED` always has a place.
std::map<std::string, int> outcome_counts(const std::vector<TrialResult>& results);
/// "185 evaluations: 150 caught, 0 ACCEPTED".
std::string summary(const std::vector<TrialResult>& results);

}  // namespace kgen::selftest
