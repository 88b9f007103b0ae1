#pragma once

#include <algorithm>
#include <chrono>

namespace kgen::util {

/// A point in time that a wait must not pass; any duration is allowed, milliseconds::max() too.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds limit)
      : end_(std::chrono::steady_clock::now() +
             std::clamp(limit, std::chrono::milliseconds(0),
                        std::chrono::milliseconds(std::chrono::hours(24 * 365)))) {}

  bool passed() const { return std::chrono::steady_clock::now() >= end_; }

  /// Milliseconds left, rounded up, as poll() takes them.
  int poll_timeout() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 3'600'000));
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace kgen::util
