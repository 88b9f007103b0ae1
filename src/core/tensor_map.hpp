#pragma once

#include "core/plan_scope.hpp"

namespace kgen::core {

/// Bytes that one box of the map brings into shared memory: the product of ceil(box_dim / element_stride)
/// times the element's size. Checks dtype, box_dim (1 to 256) and element_strides (1 to 8).
PlanResult<std::int64_t> box_bytes_of(const TensorMapSpec& map, const PlanScope& scope);

/// The map with numbers, checked against the rules of cuTensorMapEncodeTiled (CUDA driver API, "Tensor Map
/// Object Management") and against `buffer_bytes`, the size of the tensor or workspace it describes.
PlanResult<ResolvedTensorMap> resolve_tensor_map(const TensorMapSpec& map, const PlanScope& scope,
                                                 std::int64_t buffer_bytes);

}  // namespace kgen::core
