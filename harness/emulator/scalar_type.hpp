#pragma once

namespace kgen::emulator {

/// PTX's fundamental and alternate types (PTX ISA, "Types"), as instructions name them.
enum class ScalarType {
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  u16x2,
  s16x2,
};

/// Bits that one value takes in memory; 1 for a predicate, 32 for tf32.
constexpr int bits_of(ScalarType type) {
  switch (type) {
    case ScalarType::pred:
      return 1;
    case ScalarType::b8:
    case ScalarType::u8:
    case ScalarType::s8:
    case ScalarType::e4m3:
    case ScalarType::e5m2:
      return 8;
    case ScalarType::b16:
    case ScalarType::u16:
    case ScalarType::s16:
    case ScalarType::f16:
    case ScalarType::bf16:
    case ScalarType::e4m3x2:
    case ScalarType::e5m2x2:
      return 16;
    case ScalarType::b64:
    case ScalarType::u64:
    case ScalarType::s64:
    case ScalarType::f64:
      return 64;
    case ScalarType::b128:
      return 128;
    default:
      return 32;
  }
}

constexpr bool is_signed_integer(ScalarType type) {
  return type >= ScalarType::s8 && type <= ScalarType::s64;
}
constexpr bool is_unsigned_integer(ScalarType type) {
  return type >= ScalarType::u8 && type <= ScalarType::u64;
}
constexpr bool is_integer(ScalarType type) {
  return is_signed_integer(type) || is_unsigned_integer(type);
}
/// One floating-point value: a packed pair is not.
constexpr bool is_float(ScalarType type) {
  return type == ScalarType::f16 || type == ScalarType::bf16 || type == ScalarType::tf32 ||
         type == ScalarType::f32 || type == ScalarType::f64 || type == ScalarType::e4m3 ||
         type == ScalarType::e5m2;
}

/// The type of each half of a packed pair; any other type is its own.
constexpr ScalarType element_of(ScalarType pair) {
  switch (pair) {
    case ScalarType::f16x2:
      return ScalarType::f16;
    case ScalarType::bf16x2:
      return ScalarType::bf16;
    case ScalarType::e4m3x2:
      return ScalarType::e4m3;
    case ScalarType::e5m2x2:
      return ScalarType::e5m2;
    case ScalarType::u16x2:
      return ScalarType::u16;
    case ScalarType::s16x2:
      return ScalarType::s16;
    default:
      return pair;
  }
}

}  // namespace kgen::emulator
