#pragma once

#include <optional>

namespace kgen::batch {

/// What is known of a batch's money when one of its runs is about to start. All in dollars.
struct Money {
  std::optional<double> total;  ///< the batch's limit
  double committed = 0;         ///< spent by all other runs, or promised to those that are open
  double spent = 0;             ///< by this run in earlier sessions
  int waiting = 1;              ///< runs that have not started yet, this one among them
};

/// What the run may spend in all its sessions together; nothing: no limit. `own` is the limit of its own.
struct Allowance {
  bool enough = true;  ///< false: so little is left that no call can be paid for
  std::optional<double> dollars;
};

/// A run without a limit of its own gets an equal share of what is left, one with a limit that or what is
/// left. What a run does not use goes back when it ends.
Allowance allow(const Money& money, std::optional<double> own);

/// Below this no call is made.
inline constexpr double kLeastDollars = 0.001;

}  // namespace kgen::batch
