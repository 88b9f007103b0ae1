#pragma once

#include <cstdint>
#include <string>

#include "harness/emulator/scalar_type.hpp"

namespace kgen::differential {

/// How close a result must be to the device's.
struct Agreement {
  enum class Kind {
    exact,     ///< bit for bit
    any_nan,   ///< bit for bit, but any NaN for a NaN: its bits are unspecified
    ulps,      ///< at most `bound` representable values apart
    relative,  ///< at most `bound` times the device's value
    absolute,  ///< at most `bound`
  };
  Kind kind = Kind::exact;
  double bound = 0;
};
inline constexpr Agreement kExact{};
inline constexpr Agreement kAnyNan{Agreement::Kind::any_nan, 0};

bool agrees(const Agreement& agreement, emulator::ScalarType type, std::uint64_t expected, std::uint64_t got);

}  // namespace kgen::differential
