#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace kgen::judge {

/// A pair or triple of parameters (by number; of a pair the third is the second) with their values.
using Feature = std::tuple<std::size_t, std::size_t, std::size_t, std::int64_t, std::int64_t, std::int64_t>;

/// Those of parameters with these values of which at least one is among the first `firsts`.
inline std::set<Feature> features_of(const std::vector<std::int64_t>& values, std::size_t firsts) {
  std::set<Feature> out;
  for (std::size_t a = 0; a < firsts; ++a)
    for (std::size_t b = a + 1; b < values.size(); ++b)
      for (std::size_t c = b; c < values.size(); ++c) out.insert({a, b, c, values[a], values[b], values[c]});
  return out;
}

}  // namespace kgen::judge
