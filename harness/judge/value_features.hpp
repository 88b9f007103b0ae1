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

/// Calls `add` until it has added (true) `most` times, or so many times in a row nothing.
template <class Add>
void add_up_to(int most, int most_in_vain, const Add& add) {
  for (int taken = 0, in_vain = 0; taken < most && in_vain < most_in_vain;) {
    const bool added = add();
    taken += added ? 1 : 0;
    in_vain = added ? 0 : in_vain + 1;
  }
}

}  // namespace kgen::judge
