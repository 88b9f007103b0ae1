#pragma once

#include <algorithm>
#include <array>

#include "core/exit_code.hpp"

namespace kgen::core {

/// The worse of two exit codes, as a batch counts: 1 130 5 4 2 3 75 0, worst first.
inline ExitCode worse_of(ExitCode a, ExitCode b) {
  constexpr std::array kWorstFirst = {ExitCode::internal, ExitCode::interrupted, ExitCode::missing,
                                      ExitCode::provider, ExitCode::usage,       ExitCode::not_met,
                                      ExitCode::waiting,  ExitCode::ok};
  const auto rank = [&](ExitCode code) { return std::find(kWorstFirst.begin(), kWorstFirst.end(), code); };
  return rank(a) < rank(b) ? a : b;
}

}  // namespace kgen::core
