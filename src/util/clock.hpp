#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace kgen::util {

/// Now in UTC as "2026-01-02T03:04:05Z".
std::string utc_now_text();
/// Now in local time as "20260102-030405", for names of folders.
std::string compact_now_text();
/// Milliseconds since an object was made: for stage times.
class Stopwatch {
 public:
  double elapsed_ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }
  double elapsed_s() const { return elapsed_ms() / 1000.0; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A fresh 64-bit seed from the operating system.
std::uint64_t random_seed();
/// A seed that follows from `seed` and a place: splitmix64 (Steele, Lea and Flood 2014).
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t place);

}  // namespace kgen::util
