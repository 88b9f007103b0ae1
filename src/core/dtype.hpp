#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kgen::core {

/// Element types of tensors. `tf32` is stored as f32, all bits of it; products of such values may round or
/// truncate their factors to the 11 significant bits that tensor cores multiply. `u4x8` is eight unsigned
/// 4-bit values in a uint32, element i in bits 4i..4i+3.
enum class DType {
  f64,
  f32,
  f16,
  bf16,
  tf32,
  f8e4m3,
  f8e5m2,
  i64,
  u64,
  i32,
  u32,
  i16,
  u16,
  i8,
  u8,
  b8,
  u4x8
};

struct DTypeFacts {
  DType dtype;
  std::string_view name;       ///< as op.toml and expressions write it
  std::string_view cuda_type;  ///< as the prelude spells it, e.g. "__nv_bfloat16"
  std::size_t bytes;
  bool is_float;
  bool is_signed;
  int significand_bits;  ///< as stored, with the implicit bit (24 for f32 and tf32); 0 for integers
  double min_normal;     ///< smallest positive normal number; 0 for integers
  double max_finite;
};

/// Every element type, in the order of the enumeration.
std::span<const DTypeFacts> all_dtypes();
const DTypeFacts& facts_of(DType dtype);
std::optional<DType> parse_dtype(std::string_view name);
inline std::string_view name_of(DType dtype) {
  return facts_of(dtype).name;
}
inline std::size_t size_of(DType dtype) {
  return facts_of(dtype).bytes;
}
/// Unit roundoff 2^-significand_bits: the largest relative error of one rounding to nearest. 0 for integers.
double unit_roundoff(DType dtype);

}  // namespace kgen::core
