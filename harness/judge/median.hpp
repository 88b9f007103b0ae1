#pragma once

#include <vector>

#include "core/evaluation.hpp"

namespace kgen::judge {

/// Median of `samples` with its 95% interval between order statistics: exact, whatever the distribution
/// (David and Nagaraja, Order Statistics, 7.1). Below six samples no interval covers 95%: the whole range is
/// given.
core::Interval median_interval(std::vector<double> samples);

/// How far medians of the same kernel in separate processes lie apart beyond what their intervals say, as a
/// part of the median: 20 processes on an H200 (docs/measured-h200.md). Their bare intervals held the grand
/// median 16 times of 20.
inline constexpr double kProcessSpread = 0.002;

/// `interval` as it is reported: either end moved out by `spread` of it, so that it covers what another
/// process would measure too.
core::Interval widened(core::Interval interval, double spread);

/// Half the interval's width over the median; infinite where there are no samples.
double relative_half_width(const core::Interval& interval);

/// Zero-based rank r of the lower bound for n samples: [r, n - 1 - r] are the ranks of the interval's ends.
int lower_rank(int n);

}  // namespace kgen::judge
