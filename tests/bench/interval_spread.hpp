#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/evaluation.hpp"

namespace kgen {

/// How far medians of the same kernel, measured in processes of their own, lie apart, and whether their 95%
/// intervals say so. What the intervals cannot know is what differs between processes (addresses, clocks).
struct IntervalSpread {
  double grand_median_us = 0;  ///< of the medians
  double lowest_us = 0, highest_us = 0;
  double range_percent = 0;       ///< highest minus lowest, over the grand median
  double deviation_percent = 0;   ///< standard deviation of the medians, over the grand median
  double mean_width_percent = 0;  ///< of the intervals, over the grand median
  int processes = 0;
  int cover_grand_median = 0;      ///< intervals that hold it
  int pairs = 0, pairs_cover = 0;  ///< ordered pairs; those where the one's interval holds the other's median
  int pairs_overlap = 0;           ///< ordered pairs whose intervals have a point in common
};

/// Of at least one interval.
IntervalSpread spread_of(const std::vector<core::Interval>& intervals);

std::string spread_text(const IntervalSpread& spread);
nlohmann::json to_json(const IntervalSpread& spread);

}  // namespace kgen
