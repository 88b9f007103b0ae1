#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace kgen::judge {

/// Whole numbers that a text mentions: where a candidate's behaviour may change. Decimal, hex and binary
/// literals, `1 << n`, and what expressions of literals alone amount to (`41 * 83 + 4`), in [2, 2^31],
/// sorted, once each; the first 512 of them.
std::vector<std::int64_t> source_constants(std::string_view source);

/// Positive real literals of a text ("1e-5f", "0.25"), finite in f32 and not 0 there, sorted, once each; the
/// first 64 of them.
std::vector<double> source_reals(std::string_view source);

/// The numbers of a candidate's file by where they stand. One that stands in several is in the first alone.
struct SourceNumbers {
  std::vector<std::int64_t> code, plan, comments;
  std::vector<double> reals;  ///< of the code and the plan
  /// All whole ones, sorted.
  std::vector<std::int64_t> all() const;
};
SourceNumbers source_numbers(std::string_view source);

}  // namespace kgen::judge
