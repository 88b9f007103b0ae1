#pragma once

#include <cstdint>
#include <vector>

#include "harness/emulator/scalar_type.hpp"

namespace kgen::support {

/// Operands for instructions, the same on every machine for the same seed: edge cases of a type (zeros,
/// subnormals, ones and their neighbours, halves, largest, infinities, NaN; least, largest, powers of two)
/// mixed with random values of many sizes.
class OperandSource {
 public:
  explicit OperandSource(std::uint64_t seed) : state_(seed) {}

  /// 64 random bits (SplitMix64: Steele, Lea & Flood, "Fast splittable pseudorandom number generators",
  /// 2014).
  std::uint64_t random();
  /// A value of `type` in the low bits: an edge case or a random one.
  std::uint64_t next(emulator::ScalarType type);

 private:
  std::uint64_t next_float(int exponent_bits, int mantissa_bits);
  std::uint64_t next_integer(int width);

  std::uint64_t state_;
};

}  // namespace kgen::support
