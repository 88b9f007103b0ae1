#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace kgen::judge {

/// Whole numbers that a candidate's file mentions, plan included: where its behaviour may change. Decimal,
/// hex and binary literals, `1 << n`, and what expressions of literals alone amount to (`41 * 83 + 4`), in
/// [2, 2^31], sorted, once each; the first 512 of them.
std::vector<std::int64_t> source_constants(std::string_view source);

}  // namespace kgen::judge
