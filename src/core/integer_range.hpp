#pragma once

#include <cstdint>
#include <limits>

namespace kgen::core {

/// What an integer type of some bits can hold, as far as int64 can say it.
struct IntegerRange {
  std::int64_t low = 0, high = 0;
  bool contains(std::int64_t value) const { return value >= low && value <= high; }
};

/// `bits` is 1 (bool), 8, 16, 32 or 64; an unsigned 64-bit type counts to the largest int64 only.
constexpr IntegerRange integer_range(int bits, bool is_signed) {
  const std::int64_t high = bits == 64 ? std::numeric_limits<std::int64_t>::max()
                                       : (std::int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1;
  return {is_signed ? -high - 1 : 0, high};
}

}  // namespace kgen::core
