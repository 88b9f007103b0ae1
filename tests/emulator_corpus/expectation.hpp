#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator_corpus/corpus_case.hpp"

namespace kgen::corpus {

/// How far an element may lie from its expected value: absolute + relative * |expected|. Both zero: equal.
struct Tolerance {
  double absolute = 0, relative = 0;
};

template <class T>
double number_of(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

/// Equal bits are equal, also of NaN; -0 and 0 are not where the tolerance is zero.
template <class T>
bool agree(T got, T want, Tolerance tolerance) {
  if (std::memcmp(&got, &want, sizeof got) == 0) return true;
  if (tolerance.absolute == 0 && tolerance.relative == 0) return false;
  const double g = number_of(got), w = number_of(want);
  if (std::isnan(g) || std::isnan(w)) return std::isnan(g) && std::isnan(w);
  if (std::isinf(w)) return g == w;
  return std::abs(g - w) <= tolerance.absolute + tolerance.relative * std::abs(w);
}

/// The first elements that differ, in words; empty: none.
template <class T>
std::string differences(const std::vector<T>& got, const std::vector<T>& want, Tolerance tolerance) {
  std::string text;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (agree(got[i], want[i], tolerance)) continue;
    if (++wrong > 5) continue;
    text += "[" + std::to_string(i) + "]: " + std::to_string(number_of(got[i])) + " instead of " +
            std::to_string(number_of(want[i])) + "\n";
  }
  return wrong == 0 ? "" : std::to_string(wrong) + " of " + std::to_string(want.size()) + " wrong\n" + text;
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

template <class T>
std::function<std::string(const Bytes&)> expecting(std::vector<T> want, Tolerance tolerance) {
  return [want = std::move(want), tolerance](const Bytes& bytes) {
    std::vector<T> got(want.size());
    std::memcpy(got.data(), bytes.data(), got.size() * sizeof(T));
    return differences(got, want, tolerance);
  };
}

/// An input: it must be unchanged afterwards.
template <class T>
Buffer input(std::string name, const std::vector<T>& values) {
  return {std::move(name), values.size() * sizeof(T), bytes_of(values), expecting(values, {})};
}
/// What kernels write, with the expected values; nothing is there before.
template <class T>
Buffer output(std::string name, const std::vector<T>& want, Tolerance tolerance = {}) {
  return {std::move(name), want.size() * sizeof(T), {}, expecting(want, tolerance)};
}
/// What kernels change, or write a part of.
template <class T>
Buffer changed(std::string name, const std::vector<T>& before, const std::vector<T>& want,
               Tolerance tolerance = {}) {
  return {std::move(name), want.size() * sizeof(T), bytes_of(before), expecting(want, tolerance)};
}
/// Zeros that become `want`.
template <class T>
Buffer accumulated(std::string name, const std::vector<T>& want, Tolerance tolerance = {}) {
  return {std::move(name), want.size() * sizeof(T), Bytes(want.size() * sizeof(T)),
          expecting(want, tolerance)};
}
/// A workspace that nothing has written, and one of zeros.
template <class T>
Buffer workspace(std::string name, std::size_t count) {
  return {std::move(name), count * sizeof(T), {}, nullptr};
}
template <class T>
Buffer zeros(std::string name, std::size_t count) {
  return {std::move(name), count * sizeof(T), Bytes(count * sizeof(T)), nullptr};
}

}  // namespace kgen::corpus
