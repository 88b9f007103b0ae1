#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/device_facts.hpp"
#include "core/evaluation.hpp"

/// An evaluation in words: pure functions, the same for the terminal, the HTML report and the pull request.
namespace kgen::report {

/// Lines of a label and a text; one whose label is empty goes on with the one before.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Time, speed-up over each baseline, % of roofline, checks, flags, what the compiler said of each kernel,
/// counters.
Facts facts_of(const core::Evaluation& evaluation);

/// "NVIDIA H200 (sm_90a)", "no device (compiled for sm_90a)".
std::string device_title(const core::DeviceFacts& device);

/// Whether a check tried what the candidate does: all but those of the sandbox that held it, which pass
/// where nothing of it has run yet.
bool is_of_candidate(const core::Check& check);

/// "rows=1,cols=7" of one check; attributes that differ from the task's follow.
std::string shape_of(const core::Check& check);

/// "3 of 64 elements wrong; all have cols >= 8185: tail".
std::string mismatch_summary(const core::Mismatch& mismatch);
/// "y[3, 1023]".
std::string element_name(const core::WrongElement& element);

}  // namespace kgen::report
