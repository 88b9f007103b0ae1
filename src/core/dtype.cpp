#include "core/dtype.hpp"

#include <array>
#include <cmath>

namespace kgen::core {
namespace {

// Formats: IEEE 754 for f64, f32, f16; bfloat16; OCP 8-bit floating point (OFP8 rev. 1.0) for f8e4m3 and
// f8e5m2.
constexpr std::array<DTypeFacts, 17> kFacts{{
    {DType::f64, "f64", "double", 8, true, true, 53, 0x1p-1022, 0x1.fffffffffffffp1023},
    {DType::f32, "f32", "float", 4, true, true, 24, 0x1p-126, 0x1.fffffep127},
    {DType::f16, "f16", "__half", 2, true, true, 11, 0x1p-14, 65504.0},
    {DType::bf16, "bf16", "__nv_bfloat16", 2, true, true, 8, 0x1p-126, 0x1.fep127},
    {DType::tf32, "tf32", "float", 4, true, true, 24, 0x1p-126, 0x1.fffffep127},
    {DType::f8e4m3, "f8e4m3", "__nv_fp8_e4m3", 1, true, true, 4, 0x1p-6, 448.0},
    {DType::f8e5m2, "f8e5m2", "__nv_fp8_e5m2", 1, true, true, 3, 0x1p-14, 57344.0},
    {DType::i64, "i64", "long long", 8, false, true, 0, 0, 9223372036854775807.0},
    {DType::u64, "u64", "unsigned long long", 8, false, false, 0, 0, 18446744073709551615.0},
    {DType::i32, "i32", "int", 4, false, true, 0, 0, 2147483647.0},
    {DType::u32, "u32", "unsigned int", 4, false, false, 0, 0, 4294967295.0},
    {DType::i16, "i16", "short", 2, false, true, 0, 0, 32767.0},
    {DType::u16, "u16", "unsigned short", 2, false, false, 0, 0, 65535.0},
    {DType::i8, "i8", "signed char", 1, false, true, 0, 0, 127.0},
    {DType::u8, "u8", "unsigned char", 1, false, false, 0, 0, 255.0},
    {DType::b8, "b8", "bool", 1, false, false, 0, 0, 1.0},
    {DType::u4x8, "u4x8", "unsigned int", 4, false, false, 0, 0, 4294967295.0},
}};

}  // namespace

std::span<const DTypeFacts> all_dtypes() {
  return kFacts;
}

const DTypeFacts& facts_of(DType dtype) {
  return kFacts[static_cast<std::size_t>(dtype)];
}

std::optional<DType> parse_dtype(std::string_view name) {
  for (const DTypeFacts& facts : kFacts) {
    if (facts.name == name) return facts.dtype;
  }
  return std::nullopt;
}

double unit_roundoff(DType dtype) {
  const int bits = facts_of(dtype).significand_bits;
  return bits == 0 ? 0.0 : std::ldexp(1.0, -bits);
}

}  // namespace kgen::core
