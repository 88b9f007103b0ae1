#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Times a candidate that passed its checks against the op's baselines, every timed launch checked
/// (docs/timing.md).
Result<bool> time_candidate(Session& session);

/// How many buffer sets a task is timed on: at least two and at least twice the L2 together, where memory
/// allows.
int timing_sets(std::int64_t bytes_a_set, std::int64_t l2_bytes, std::int64_t free_bytes);

/// One execution on each of `sets`, with flushes that leave nothing of a set in the L2.
run::TimeBlock block_of(const Session& session, const std::vector<int>& sets);

/// Below this a block is one graph, so that launch overhead of streams does not count.
inline constexpr double kGraphBelowUs = 20;

}  // namespace kgen::judge
