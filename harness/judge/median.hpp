#pragma once

#include <vector>

#include "core/evaluation.hpp"

namespace kgen::judge {

/// Median of `samples` with its 95% interval between order statistics: exact, whatever the distribution
/// (David and Nagaraja, Order Statistics, 7.1). Below six samples no interval covers 95%: the whole range is
/// given.
core::Interval median_interval(std::vector<double> samples);

/// How far medians of the same kernel in separate processes lie apart beyond what their intervals say, as a
/// part of the median: 60 processes on two H200s (docs/measured-h200.md, 2026-11-25). With it 58 of their 60
/// intervals hold the grand median, with 0.002 55.
inline constexpr double kProcessSpread = 0.003;

/// `interval` as it is reported: either end moved out by `spread` of it, so that it covers what another
/// process would measure too.
core::Interval widened(core::Interval interval, double spread);

/// Half the interval's width over the median; infinite where there are no samples.
double relative_half_width(const core::Interval& interval);

/// Zero-based rank r of the lower bound for n samples: [r, n - 1 - r] are the ranks of the interval's ends.
int lower_rank(int n);

}  // namespace kgen::judge
