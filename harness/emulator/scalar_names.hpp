#pragma once

#include <optional>
#include <string_view>

#include "harness/emulator/scalar_type.hpp"

namespace kgen::emulator {

/// The type that a suffix (without its dot) names.
constexpr std::optional<ScalarType> scalar_of(std::string_view name) {
  struct Row {
    std::string_view name;
    ScalarType type;
  };
  constexpr Row kNames[] = {
      {"pred", ScalarType::pred},     {"b8", ScalarType::b8},       {"b16", ScalarType::b16},
      {"b32", ScalarType::b32},       {"b64", ScalarType::b64},     {"b128", ScalarType::b128},
      {"u8", ScalarType::u8},         {"u16", ScalarType::u16},     {"u32", ScalarType::u32},
      {"u64", ScalarType::u64},       {"s8", ScalarType::s8},       {"s16", ScalarType::s16},
      {"s32", ScalarType::s32},       {"s64", ScalarType::s64},     {"f16", ScalarType::f16},
      {"f16x2", ScalarType::f16x2},   {"bf16", ScalarType::bf16},   {"bf16x2", ScalarType::bf16x2},
      {"tf32", ScalarType::tf32},     {"f32", ScalarType::f32},     {"f64", ScalarType::f64},
      {"e4m3", ScalarType::e4m3},     {"e5m2", ScalarType::e5m2},   {"e4m3x2", ScalarType::e4m3x2},
      {"e5m2x2", ScalarType::e5m2x2}, {"u16x2", ScalarType::u16x2}, {"s16x2", ScalarType::s16x2},
  };
  for (const Row& row : kNames) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

}  // namespace kgen::emulator
