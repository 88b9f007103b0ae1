#include "core/pointee.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kgen::core {
namespace {

struct NamedScalar {
  std::string_view name;
  DType dtype;
};

/// C++ scalar types beside the DTypes' own names, as a probe or a header may spell them.
constexpr std::array<NamedScalar, 21> kScalars{{
    {"float", DType::f32},
    {"double", DType::f64},
    {"half", DType::f16},
    {"__half", DType::f16},
    {"__nv_bfloat16", DType::bf16},
    {"nv_bfloat16", DType::bf16},
    {"__nv_fp8_e4m3", DType::f8e4m3},
    {"__nv_fp8_e5m2", DType::f8e5m2},
    {"long", DType::i64},
    {"long long", DType::i64},
    {"unsigned long", DType::u64},
    {"unsigned long long", DType::u64},
    {"int", DType::i32},
    {"unsigned int", DType::u32},
    {"unsigned", DType::u32},
    {"short", DType::i16},
    {"unsigned short", DType::u16},
    {"char", DType::i8},
    {"signed char", DType::i8},
    {"unsigned char", DType::u8},
    {"bool", DType::b8},
}};

/// CUDA's vector types are one of these and a count: float4, ushort2, longlong2.
constexpr std::array<NamedScalar, 12> kVectorScalars{{
    {"float", DType::f32},
    {"double", DType::f64},
    {"longlong", DType::i64},
    {"ulonglong", DType::u64},
    {"long", DType::i64},
    {"ulong", DType::u64},
    {"int", DType::i32},
    {"uint", DType::u32},
    {"short", DType::i16},
    {"ushort", DType::u16},
    {"char", DType::i8},
    {"uchar", DType::u8},
}};

/// Packed pairs and quads of the small float types.
struct NamedVector {
  std::string_view name;
  DType dtype;
  std::size_t count;
};
constexpr std::array<NamedVector, 8> kPackedVectors{{
    {"half2", DType::f16, 2},
    {"__half2", DType::f16, 2},
    {"__nv_bfloat162", DType::bf16, 2},
    {"nv_bfloat162", DType::bf16, 2},
    {"__nv_fp8x2_e4m3", DType::f8e4m3, 2},
    {"__nv_fp8x4_e4m3", DType::f8e4m3, 4},
    {"__nv_fp8x2_e5m2", DType::f8e5m2, 2},
    {"__nv_fp8x4_e5m2", DType::f8e5m2, 4},
}};

std::optional<DType> scalar_of(std::string_view pointee) {
  if (const auto dtype = parse_dtype(pointee)) return dtype;
  const auto found =
      std::find_if(kScalars.begin(), kScalars.end(), [&](const auto& s) { return s.name == pointee; });
  return found == kScalars.end() ? std::nullopt : std::optional(found->dtype);
}

std::optional<NamedVector> vector_of(std::string_view pointee) {
  for (const NamedVector& packed : kPackedVectors)
    if (packed.name == pointee) return packed;
  // int4_16a and its like (CUDA 13) say their alignment behind the count.
  std::string_view name = pointee;
  if (name.ends_with("_16a") || name.ends_with("_32a")) name.remove_suffix(4);
  if (name.empty() || name.back() < '1' || name.back() > '4') return std::nullopt;
  const auto count = static_cast<std::size_t>(name.back() - '0');
  name.remove_suffix(1);
  for (const NamedScalar& scalar : kVectorScalars)
    if (scalar.name == name) return NamedVector{pointee, scalar.dtype, count};
  return std::nullopt;
}

/// Integers that kernels read several at a time through wider ones, or a byte at a time.
bool is_packed(DType dtype) {
  return !facts_of(dtype).is_float && (size_of(dtype) == 1 || dtype == DType::u4x8);
}

bool scalar_fits(DType scalar, DType dtype, KernelOf whose) {
  const DTypeFacts& a = facts_of(scalar);
  const DTypeFacts& b = facts_of(dtype);
  if (scalar == dtype || (scalar == DType::f32 && dtype == DType::tf32)) return true;
  if (a.is_float) return false;
  if (is_packed(dtype) && scalar != DType::b8 && whose == KernelOf::candidate) return true;
  // As values, integers of one size differ in sign at most.
  if (!b.is_float || scalar == DType::b8) return !b.is_float && a.bytes == b.bytes;
  return whose == KernelOf::candidate || (a.bytes == b.bytes && !a.is_signed && b.bytes <= 2);
}

bool vector_fits(const NamedVector& vector, DType dtype, KernelOf whose) {
  const std::size_t bytes = vector.count * size_of(vector.dtype);
  if (bytes == 16 || scalar_fits(vector.dtype, dtype, whose)) return true;
  return !facts_of(vector.dtype).is_float && bytes % size_of(dtype) == 0;
}

}  // namespace

bool pointee_fits(std::string_view pointee, DType dtype, KernelOf whose) {
  if (pointee == "void") return true;
  if (const auto scalar = scalar_of(pointee)) return scalar_fits(*scalar, dtype, whose);
  if (const auto vector = vector_of(pointee)) return vector_fits(*vector, dtype, whose);
  // A type of the candidate's own is a deliberate choice; a pointer to a pointer is a mistake.
  return !pointee.ends_with('*');
}

std::string reinterpreting_pointees(DType dtype) {
  const DTypeFacts& facts = facts_of(dtype);
  const std::string size = std::to_string(facts.bytes) + (facts.bytes == 1 ? " byte" : " bytes");
  std::string text = "void*, ";
  if (is_packed(dtype)) {
    text += "any integer or integer vector (unsigned*, uint4*)";
  } else if (!facts.is_float) {
    text += "an integer of " + size + ", an integer vector of whole elements (uint4*)";
  } else {
    const auto packed = std::find_if(kPackedVectors.begin(), kPackedVectors.end(),
                                     [&](const NamedVector& vector) { return vector.dtype == dtype; });
    text += packed == kPackedVectors.end() ? std::string(facts.cuda_type) + "2" : std::string(packed->name);
    text += "*, any integer or integer vector (unsigned*, uint4*)";
  }
  return text + ", any 16-byte vector (float4*)";
}

}  // namespace kgen::core
