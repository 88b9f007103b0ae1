#pragma once

#include <string>
#include <vector>

#include "core/profile.hpp"

namespace kgen::core {

/// What a kernel's time goes to, with the evidence.
struct Diagnosis {
  std::string rule;        ///< "uncoalesced"; docs/diagnosis.md explains each
  std::string kernel;      ///< empty: the plan as a whole
  double weight = 0;       ///< about the share of the plan's time that it costs, 0..1: what ranks
  std::string what;        ///< one sentence with its figures
  std::vector<int> lines;  ///< of the candidate's file, those concerned most first; may be empty
  std::string advice;      ///< what usually helps
};

/// "line 12", "lines 12, 14 and 9"; empty for none.
std::string lines_text(const std::vector<int>& lines);

/// Every rule whose evidence is there, the heaviest first. Nothing is guessed: a rule whose metrics were not
/// counted stays silent. Counters without times (the emulator's) rank by the share of work that is wasted.
std::vector<Diagnosis> diagnose(const Profile& profile);

}  // namespace kgen::core
