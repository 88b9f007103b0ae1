#include "report/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace kgen::report {
namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return buffer.data();
}

/// Unit in which `us` is easy to read, and how many microseconds it has.
struct TimeUnit {
  const char* name;
  double us;
};
TimeUnit unit_of(double us) {
  if (us < 1000) return {"us", 1};
  return us < 1e6 ? TimeUnit{"ms", 1e3} : TimeUnit{"s", 1e6};
}

}  // namespace

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  const double magnitude = std::abs(value);
  if (magnitude < 1e-4 || magnitude >= 1e9) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
    return buffer.data();
  }
  const int before_point = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  return fixed(value, std::max(0, digits - before_point));
}

std::string time_text(double us) {
  const TimeUnit unit = unit_of(us);
  return significant(us / unit.us) + " " + unit.name;
}

std::string interval_text(const core::Interval& time) {
  const TimeUnit unit = unit_of(time.median_us);
  const auto in_unit = [&](double us) { return significant(us / unit.us, 4); };
  return in_unit(time.median_us) + " " + unit.name + " [" + in_unit(time.low_us) + ", " +
         in_unit(time.high_us) + "]";
}

std::string speedup_text(double speedup, double low, double high) {
  const std::string text = fixed(speedup, 2) + "x";
  return low > 0 && high > 0 ? text + " [" + fixed(low, 2) + ", " + fixed(high, 2) + "]" : text;
}

std::string error_ratio_text(double ratio) {
  return ratio >= core::kInfiniteRatio ? "differs" : significant(ratio);
}

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  const char* unit = "";
  double size = static_cast<double>(bytes);
  for (const char* name : {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = name;
  }
  return (size == std::floor(size) ? fixed(size, 0) : fixed(size, 1)) + " " + unit;
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fixed(seconds, 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string count_text(std::int64_t count) {
  if (count < 1000) return std::to_string(count);
  const double value = static_cast<double>(count);
  return count < 1'000'000 ? significant(value / 1e3) + "k" : significant(value / 1e6) + "M";
}

std::string plural(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace kgen::report
