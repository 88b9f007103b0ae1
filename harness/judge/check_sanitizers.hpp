#pragma once

#include <string>
#include <vector>

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Of a shape that no program needs: on an H200 50 million threads, in blocks of 256, took the tools seven
/// seconds.
inline constexpr std::int64_t kMostSanitizedThreads = 1 << 24;
/// Known-good kernels start more at no more small shapes than this.
inline constexpr std::size_t kMostCrowded = 8;

/// Shapes, by index, that compute-sanitizer's tools see (they slow a kernel down a hundredfold): the smallest
/// of each program of the plan, that of the task's own shape first, then those that take other branches of
/// the plan, up to 256 MiB in all; then small ones of different sizes that are not crowded.
std::vector<std::size_t> sanitizer_shapes(const Session& session);

/// The task's own shape where none of these has its program, and a shape of each way through the plan's
/// branches that none of these takes; empty: there is none.
std::string unsanitized_programs(const Session& session, const std::vector<std::size_t>& chosen);

/// Stage: memcheck, initcheck, racecheck and synccheck over the candidate in processes of their own. Adds a
/// check for each: passed, failed, or why it could not run.
Result<bool> check_sanitizers(Session& session);

}  // namespace kgen::judge
