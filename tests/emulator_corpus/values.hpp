#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace kgen::corpus {

/// 64 random bits (SplitMix64: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014).
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

/// Uniform in [low, high), the same for the same seed.
inline std::vector<float> reals(std::size_t count, std::uint64_t seed, float low = -1, float high = 1) {
  std::vector<float> out(count);
  for (float& value : out) {
    const float unit = static_cast<float>(next_random(seed) >> 40) * 0x1p-24f;
    value = low + (high - low) * unit;
  }
  return out;
}
inline std::vector<double> doubles(std::size_t count, std::uint64_t seed, double low = -1, double high = 1) {
  std::vector<double> out(count);
  for (double& value : out)
    value = low + (high - low) * (static_cast<double>(next_random(seed) >> 11) * 0x1p-53);
  return out;
}
/// Integers of [low, high].
template <class T = int>
std::vector<T> integers(std::size_t count, std::uint64_t seed, int low, int high) {
  std::vector<T> out(count);
  const auto span = static_cast<std::uint64_t>(high - low) + 1;
  for (T& value : out) value = static_cast<T>(static_cast<int>(next_random(seed) % span) + low);
  return out;
}
inline std::vector<std::uint64_t> random_bits(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> out(count);
  for (auto& value : out) value = next_random(seed);
  return out;
}
/// 0 ... count - 1 in a random order.
inline std::vector<int> permutation(std::size_t count, std::uint64_t seed) {
  std::vector<int> out(count);
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t i = count; i > 1; --i) std::swap(out[i - 1], out[next_random(seed) % i]);
  return out;
}
/// Each value as another type.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
  std::vector<To> out;
  out.reserve(from.size());
  for (const From& value : from) out.push_back(static_cast<To>(value));
  return out;
}

}  // namespace kgen::corpus
