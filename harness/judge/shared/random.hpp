#pragma once

#include "harness/judge/shared/portable.hpp"

namespace kgen::judge {

/// Mixes all bits: the finalizer of SplitMix64 (Steele, Lea, Flood 2014; constants of Stafford's variant 13).
KGEN_SHARED U64 mix64(U64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Key of one tensor's stream under a seed. `tensor` is any number of the tensor's own.
KGEN_SHARED U64 stream_key(U64 seed, U64 tensor) {
  return mix64(mix64(seed + 0x9e3779b97f4a7c15ull) ^ mix64(tensor * 0xd1342543de82ef95ull + 1));
}

/// Random 64 bits of (key, index, draw): counter-based, so every element can be made alone and in any order.
KGEN_SHARED U64 random_bits(U64 key, U64 index, int draw) {
  return mix64(mix64(key + index * 0x9e3779b97f4a7c15ull) + static_cast<U64>(draw) * 0xd6e8feb86659fd93ull);
}

/// In [0, 1), a multiple of 2^-53.
KGEN_SHARED double unit_real(U64 bits) {
  return times(static_cast<double>(bits >> 11), power_of_two(-53));
}

/// In [0, count), by the high half of a product (Lemire 2019; bias below 2^-32 for count < 2^32).
KGEN_SHARED U64 below(U64 bits, U64 count) {
  if (count >> 32) return bits % count;
  return ((bits >> 32) * count) >> 32;
}

/// A standard normal value without any transcendental function, so that CPU and GPU agree bit for bit: the
/// number of ones of 64 random bits (binomial, variance 16) smoothed by a uniform value (variance 1/12),
/// centred and scaled by 1 / sqrt(16 + 1/12). Mean 0, variance 1, excess kurtosis -0.03, |z| <= 8.1.
KGEN_SHARED double standard_normal(U64 bits, U64 more_bits) {
  const double sum = plus(static_cast<double>(count_ones(bits) - 32), plus(unit_real(more_bits), -0.5));
  return times(sum, 0x1.feabfe867608ep-3);
}

/// Adds one 64-bit word to a sum-of-mixed-words hash: order of words does not matter, their places do.
KGEN_SHARED U64 hash_word(U64 key, U64 place, U64 word) {
  return mix64(word ^ mix64(key + place * 0x9e3779b97f4a7c15ull)) * 0x9fb21c651e98df25ull;
}

}  // namespace kgen::judge
