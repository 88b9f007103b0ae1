#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/judge/execution_device.hpp"
#include "harness/judge/oracle.hpp"

namespace kgen::judge {

/// What one candidate is tested on: its process, the buffer set of each shape, the oracles that run on the
/// device.
struct Bench {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::unique_ptr<Runner> runner;
  std::size_t loaded = kNone;                ///< program in the process
  std::vector<run::GlobalVariable> globals;  ///< right after it was loaded
  std::set<std::string> unseen_globals;      ///< of all programs: those whose bytes cannot be read, and why
  bool globals_seen_after_launch = false;    ///< compared after the first launch since
  std::map<std::size_t, int> sets;           ///< by shape
  U64 sets_made = 0;
  OracleCache oracles;               ///< where the workplace keeps none
  std::set<std::size_t> shapes_run;  ///< executed and compared at least once
  std::set<std::size_t> given_up;    ///< took too long, which is no fault of theirs (dear_shapes.hpp)
  int executions = 0;                ///< launches whose outputs were looked at
};

}  // namespace kgen::judge
