#include "harness/run/tensor_map.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/cuda/driver.hpp"

namespace kgen::run {
namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr Named<CUtensorMapSwizzle> kSwizzles[] = {{"none", CU_TENSOR_MAP_SWIZZLE_NONE},
                                                   {"32B", CU_TENSOR_MAP_SWIZZLE_32B},
                                                   {"64B", CU_TENSOR_MAP_SWIZZLE_64B},
                                                   {"128B", CU_TENSOR_MAP_SWIZZLE_128B}};
constexpr Named<CUtensorMapL2promotion> kPromotions[] = {{"none", CU_TENSOR_MAP_L2_PROMOTION_NONE},
                                                         {"64B", CU_TENSOR_MAP_L2_PROMOTION_L2_64B},
                                                         {"128B", CU_TENSOR_MAP_L2_PROMOTION_L2_128B},
                                                         {"256B", CU_TENSOR_MAP_L2_PROMOTION_L2_256B}};
constexpr Named<CUtensorMapInterleave> kInterleaves[] = {{"none", CU_TENSOR_MAP_INTERLEAVE_NONE},
                                                         {"16B", CU_TENSOR_MAP_INTERLEAVE_16B},
                                                         {"32B", CU_TENSOR_MAP_INTERLEAVE_32B}};
constexpr Named<CUtensorMapFloatOOBfill> kFills[] = {
    {"zeros", CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE},
    {"none", CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE},
    {"nan", CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA}};

template <class Value, std::size_t N>
bool look_up(const Named<Value> (&table)[N], const std::string& name, Value& value) {
  const auto* row =
      std::find_if(std::begin(table), std::end(table), [&](const auto& r) { return r.name == name; });
  if (row == std::end(table)) return false;
  value = row->value;
  return true;
}

/// Types by size where the map has no name for them: a copy does not look inside.
CUtensorMapDataType data_type(core::DType dtype) {
  switch (dtype) {
    case core::DType::f64:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case core::DType::f32:
    case core::DType::tf32:  // stored as f32; TFLOAT32 would round what is copied
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case core::DType::f16:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case core::DType::bf16:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case core::DType::i64:
      return CU_TENSOR_MAP_DATA_TYPE_INT64;
    case core::DType::u64:
      return CU_TENSOR_MAP_DATA_TYPE_UINT64;
    case core::DType::i32:
      return CU_TENSOR_MAP_DATA_TYPE_INT32;
    case core::DType::u32:
    case core::DType::u4x8:
      return CU_TENSOR_MAP_DATA_TYPE_UINT32;
    case core::DType::i16:
    case core::DType::u16:
      return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    default:
      return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
}

tl::unexpected<RunFailure> refuse(const core::ResolvedTensorMap& map, const std::string& why) {
  return tl::unexpected<RunFailure>(RunFailure{
      RunFailure::Kind::launch_error, "tensor_map", {}, "tensor map " + map.name + ": " + why, -1});
}

}  // namespace

RunResult<CUtensorMap> encode_tensor_map(const core::ResolvedTensorMap& map, CUdeviceptr address) {
  CUtensorMapSwizzle swizzle{};
  CUtensorMapL2promotion promotion{};
  CUtensorMapInterleave interleave{};
  CUtensorMapFloatOOBfill fill{};
  if (!look_up(kSwizzles, map.swizzle, swizzle)) return refuse(map, "unknown swizzle " + map.swizzle);
  if (!look_up(kPromotions, map.l2_promotion, promotion))
    return refuse(map, "unknown l2_promotion " + map.l2_promotion);
  if (!look_up(kInterleaves, map.interleave, interleave))
    return refuse(map, "unknown interleave " + map.interleave);
  if (!look_up(kFills, map.oob_fill, fill)) return refuse(map, "unknown oob_fill " + map.oob_fill);
  const std::size_t rank = map.global_dim.size();
  if (rank == 0 || rank > 5 || map.global_strides.size() + 1 != rank || map.box_dim.size() != rank ||
      map.element_strides.size() != rank) {
    return refuse(map, "dims, strides and box do not agree in rank");
  }
  const CUdeviceptr at = address + static_cast<CUdeviceptr>(map.offset);
  // A map of one dimension has no strides; nothing says that the driver takes a null pointer for them.
  const cuuint64_t none = 0;
  const cuuint64_t* strides = rank == 1 ? &none : map.global_strides.data();
  CUtensorMap out{};
  const CUresult code = cuda::driver().cuTensorMapEncodeTiled(
      &out, data_type(map.dtype), static_cast<cuuint32_t>(rank),
      reinterpret_cast<void*>(at) /* NOLINT(performance-no-int-to-ptr): the API wants it */,
      map.global_dim.data(), strides, map.box_dim.data(), map.element_strides.data(), interleave, swizzle,
      promotion, fill);
  if (code != CUDA_SUCCESS) return refuse(map, "the driver refuses it: " + cuda::error_name(code));
  return out;
}

}  // namespace kgen::run
