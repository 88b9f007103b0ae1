#include "bench/interval_spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "util/json.hpp"

namespace kgen {
namespace {

bool holds(const core::Interval& interval, double us) {
  return interval.low_us <= us && us <= interval.high_us;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void count_pairs(const std::vector<core::Interval>& intervals, IntervalSpread& out) {
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    for (std::size_t j = 0; j < intervals.size(); ++j) {
      if (i == j) continue;
      ++out.pairs;
      out.pairs_cover += holds(intervals[i], intervals[j].median_us) ? 1 : 0;
      out.pairs_overlap +=
          intervals[i].low_us <= intervals[j].high_us && intervals[j].low_us <= intervals[i].high_us;
    }
  }
}

}  // namespace

IntervalSpread spread_of(const std::vector<core::Interval>& intervals) {
  IntervalSpread out;
  std::vector<double> medians;
  for (const auto& interval : intervals) medians.push_back(interval.median_us);
  out.processes = static_cast<int>(medians.size());
  out.grand_median_us = median(medians);
  out.lowest_us = *std::min_element(medians.begin(), medians.end());
  out.highest_us = *std::max_element(medians.begin(), medians.end());
  double squares = 0, widths = 0, mean = 0;
  for (const double us : medians) mean += us / out.processes;
  for (const auto& interval : intervals) {
    squares += (interval.median_us - mean) * (interval.median_us - mean);
    widths += interval.high_us - interval.low_us;
    out.cover_grand_median += holds(interval, out.grand_median_us) ? 1 : 0;
  }
  const double percent = 100 / out.grand_median_us;
  out.range_percent = (out.highest_us - out.lowest_us) * percent;
  out.deviation_percent = std::sqrt(squares / std::max(1, out.processes - 1)) * percent;
  out.mean_width_percent = widths / out.processes * percent;
  count_pairs(intervals, out);
  return out;
}

std::string spread_text(const IntervalSpread& s) {
  char text[512];
  std::snprintf(
      text, sizeof text,
      "%d processes: medians %.3f to %.3f us around %.3f us: range %.2f%%, standard deviation %.2f%%; mean "
      "width of the 95%% intervals %.2f%%\n%d of %d intervals hold the grand median; %d of %d pairs: the "
      "one's interval holds the other's median; %d of %d overlap\n",
      s.processes, s.lowest_us, s.highest_us, s.grand_median_us, s.range_percent, s.deviation_percent,
      s.mean_width_percent, s.cover_grand_median, s.processes, s.pairs_cover, s.pairs, s.pairs_overlap,
      s.pairs);
  return text;
}

nlohmann::json to_json(const IntervalSpread& s) {
  return {{"processes", s.processes},
          {"grand_median_us", s.grand_median_us},
          {"lowest_us", s.lowest_us},
          {"highest_us", s.highest_us},
          {"range_percent", s.range_percent},
          {"deviation_percent", s.deviation_percent},
          {"mean_width_percent", s.mean_width_percent},
          {"cover_grand_median", s.cover_grand_median},
          {"pairs", s.pairs},
          {"pairs_cover", s.pairs_cover},
          {"pairs_overlap", s.pairs_overlap}};
}

}  // namespace kgen
