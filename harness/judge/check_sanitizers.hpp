#pragma once

#include <vector>

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Shapes, by index, that compute-sanitizer's tools see: small ones (they slow a kernel down a hundredfold),
/// one of each program of the plan first, then others of different sizes.
std::vector<std::size_t> sanitizer_shapes(const Session& session);

/// Stage: memcheck, initcheck, racecheck and synccheck over the candidate in processes of their own. Adds a
/// check for each: passed, failed, or why it could not run.
Result<bool> check_sanitizers(Session& session);

}  // namespace kgen::judge
