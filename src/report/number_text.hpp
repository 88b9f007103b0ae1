#pragma once

#include <cstdint>
#include <string>

#include "core/evaluation.hpp"

/// Numbers as people read them: pure functions.
namespace kgen::report {

/// `digits` significant digits, no exponent for what people measure: "79.1", "1234", "0.0432".
std::string significant(double value, int digits = 3);
/// "79.1 us", from 1000 us on "1.23 ms", from 1000 ms on "1.23 s".
std::string time_text(double us);
/// "79.1 us [78.9, 79.4]": a median and its 95% interval in one unit.
std::string interval_text(const core::Interval& time);
/// "2.01x [1.99, 2.03]"; the interval is left out where it is not known.
std::string speedup_text(double speedup, double low, double high);
/// An error over its tolerance: "0.440", "differs" where values that must be equal are not.
std::string error_ratio_text(double ratio);
/// "512 B", "16 KiB", "139.8 GiB".
std::string bytes_text(std::int64_t bytes);
/// "0.4 s", "12 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);
/// "950", "12.3k", "1.20M".
std::string count_text(std::int64_t count);
/// "1 candidate", "3 candidates".
std::string plural(std::int64_t count, const std::string& noun);

}  // namespace kgen::report
