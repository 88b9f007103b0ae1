#pragma once

#include <string>
#include <vector>

#include "core/sweep.hpp"

/// A sweep in words: pure functions, the same for the terminal, the HTML report and the pull request.
namespace kgen::report {

/// "12 of 24 variants tried in 4.1 s, 2 rejected; goes on with BM=64: ...".
std::string sweep_sentence(const core::SweepRecord& sweep);

/// The variants, the fastest first, those without a time behind them, those that were rejected last.
std::vector<const core::SweptVariant*> by_speed(const core::SweepReply& reply);

/// "correct", "fault (misaligned)".
std::string verdict_words(const core::SweptVariant& variant);

/// What a variant is in its sweep.
enum class VariantRole {
  chosen,         ///< the candidate goes on with it, which was judged with another one before
  as_before,      ///< the candidate goes on with it, as it was judged
  before,         ///< the candidate was judged with it, and goes on with another one
  rejected,       ///< it is not right
  stopped_early,  ///< it was beyond doubt slower
  other,
};
VariantRole role_of(const core::SweptVariant& variant, const core::SweepRecord& sweep);

/// "chosen", "stopped early"; empty where the verdict says all.
std::string role_words(VariantRole role);

/// Names of the tunables that do not have one value throughout the sweep, in order: what tells its variants
/// apart.
std::vector<std::string> varied_tunables(const core::SweepReply& reply);

}  // namespace kgen::report
