#include "core/tensor_map.hpp"

#include <algorithm>
#include <limits>

#include "core/plan_problem.hpp"
#include "util/closest_names.hpp"

namespace kgen::core {
namespace {

constexpr std::int64_t kMaxDim = std::int64_t{1} << 32;
constexpr std::int64_t kMaxStride = (std::int64_t{1} << 40) - 1;

using Numbers = std::vector<std::int64_t>;

/// Works on one map; every step names its field.
class MapResolver {
 public:
  MapResolver(const TensorMapSpec& map, const PlanScope& scope)
      : map_(map), scope_(scope), field_(member("tensor_maps", map.name)) {}

  PlanResult<DType> dtype() const {
    if (!map_.dtype.empty()) {
      if (const auto dtype = parse_dtype(map_.dtype)) return *dtype;
      return plan_problem(member(field_, "dtype"), map_.dtype, "the name of an element type");
    }
    if (const TensorFacts* tensor = scope_.find_tensor(map_.tensor)) return tensor->dtype;
    if (scope_.is_workspace(map_.tensor))
      return plan_problem(member(field_, "dtype"), "nothing",
                          "an element type (a workspace has none of its own)");
    std::vector<std::string> names;
    for (const TensorFacts& tensor : scope_.tensors()) names.push_back(tensor.name);
    return plan_problem(member(field_, "tensor"), map_.tensor,
                        "a workspace or one of: " + util::closest_names(map_.tensor, std::move(names)));
  }

  PlanResult<Numbers> box() const { return list(map_.box_dim, "box_dim", 1, 256); }

  PlanResult<Numbers> element_strides() const {
    if (map_.element_strides.empty()) return Numbers(map_.box_dim.size(), 1);
    return list(map_.element_strides, "element_strides", 1, 8);
  }

  PlanResult<Numbers> global_dim(DType dtype) const {
    if (!map_.global_dim.empty()) return list(map_.global_dim, "global_dim", 1, kMaxDim);
    const TensorFacts* tensor = scope_.find_tensor(map_.tensor);
    if (tensor == nullptr || tensor->dtype != dtype || tensor->shape.size() != map_.box_dim.size())
      return plan_problem(member(field_, "global_dim"), "nothing",
                          "a list (it may be left out only for a tensor in its own dtype and shape)");
    Numbers dims(tensor->shape.rbegin(), tensor->shape.rend());
    for (std::size_t i = 0; i < dims.size(); ++i)
      KGEN_CHECK(in_range(element(member(field_, "global_dim"), i), dims[i], 1, kMaxDim));
    return dims;
  }

  /// Packed behind one another where the plan does not say.
  PlanResult<Numbers> global_strides(const Numbers& dims, std::int64_t element_bytes) const {
    const std::int64_t unit = map_.interleave == "32B" ? 32 : 16;
    Numbers strides;
    std::int64_t packed = element_bytes;
    for (std::size_t i = 0; i + 1 < dims.size(); ++i) {
      const std::string field = element(member(field_, "global_strides"), i);
      if (map_.global_strides.empty()) {
        if (__builtin_mul_overflow(packed, dims[i], &packed))
          packed = std::numeric_limits<std::int64_t>::max();
        strides.push_back(packed);
      } else {
        KGEN_TRY(const std::int64_t stride, scope_.evaluate(field, map_.global_strides[i]));
        strides.push_back(stride);
      }
      KGEN_CHECK(in_range(field, strides[i], 0, kMaxStride));
      if (strides[i] % unit != 0)
        return plan_problem(field, std::to_string(strides[i]),
                            "bytes, a multiple of " + std::to_string(unit));
    }
    return strides;
  }

  PlanResult<std::int64_t> offset() const {
    if (!map_.offset) return 0;
    const std::string field = member(field_, "offset");
    KGEN_TRY(const std::int64_t offset, scope_.evaluate(field, *map_.offset));
    const std::int64_t unit = map_.interleave == "32B" ? 32 : 16;
    if (offset < 0 || offset % unit != 0)
      return plan_problem(field, std::to_string(offset),
                          "bytes from 0 on, a multiple of " + std::to_string(unit));
    return offset;
  }

  PlanResult<void> check_inner_box(std::int64_t elements, std::int64_t element_bytes) const {
    const std::string field = element(member(field_, "box_dim"), 0);
    const std::int64_t bytes = elements * element_bytes;
    if (map_.interleave != "none") return {};
    if (bytes % 16 != 0)
      return plan_problem(
          field, std::to_string(elements) + " elements of " + std::to_string(element_bytes) + " bytes",
          "an innermost box that is a multiple of 16 bytes");
    const std::int64_t span = map_.swizzle == "none"
                                  ? std::numeric_limits<std::int64_t>::max()
                                  : std::stoll(map_.swizzle.substr(0, map_.swizzle.size() - 1));
    if (bytes > span)
      return plan_problem(
          field, std::to_string(elements) + " elements of " + std::to_string(element_bytes) + " bytes",
          "at most " + std::to_string(span) + " bytes, the span of swizzle " + map_.swizzle +
              " (use two boxes or one more dimension)");
    return {};
  }

  PlanResult<void> check_modes(std::size_t rank, DType dtype) const {
    if (map_.interleave != "none" && rank < 3)
      return plan_problem(member(field_, "interleave"), map_.interleave,
                          "\"none\" for fewer than 3 dimensions");
    if (map_.interleave == "32B" && map_.swizzle != "32B")
      return plan_problem(member(field_, "swizzle"), map_.swizzle, "\"32B\", which interleave 32B demands");
    if (map_.oob_fill == "nan" && !facts_of(dtype).is_float)
      return plan_problem(member(field_, "oob_fill"), "nan",
                          "\"zeros\" for a dtype that is not floating point");
    // The driver has no 8-bit floats: they travel as bytes, which know no NaN.
    if (map_.oob_fill == "nan" && facts_of(dtype).bytes == 1)
      return plan_problem(member(field_, "oob_fill"), "nan", "\"zeros\" for an 8-bit dtype");
    return {};
  }

  /// The last element of the view must end inside the buffer.
  PlanResult<void> check_bounds(const ResolvedTensorMap& resolved, std::int64_t element_bytes,
                                std::int64_t buffer_bytes) const {
    bool overflow = false;
    std::int64_t end = resolved.offset;
    const auto add = [&](std::uint64_t dim, std::uint64_t stride) {
      std::int64_t span = 0;
      overflow |=
          __builtin_mul_overflow(static_cast<std::int64_t>(dim), static_cast<std::int64_t>(stride), &span);
      overflow |= __builtin_add_overflow(end, span, &end);
    };
    add(resolved.global_dim[0], static_cast<std::uint64_t>(element_bytes));
    for (std::size_t i = 1; i < resolved.global_dim.size(); ++i)
      add(resolved.global_dim[i] - 1, resolved.global_strides[i - 1]);
    if (overflow || end > buffer_bytes)
      return plan_problem(
          field_,
          (overflow ? "more than 2^63" : std::to_string(end)) + std::string(" bytes of ") + map_.tensor,
          "a view inside its " + std::to_string(buffer_bytes) +
              " bytes (offset + sum of (dim - 1) * stride + one innermost row)");
    return {};
  }

 private:
  PlanResult<Numbers> list(const std::vector<util::Expr>& exprs, const char* key, std::int64_t low,
                           std::int64_t high) const {
    Numbers values;
    for (const util::Expr& expr : exprs) {
      const std::string field = element(member(field_, key), values.size());
      KGEN_TRY(const std::int64_t value, scope_.evaluate(field, expr));
      KGEN_CHECK(in_range(field, value, low, high));
      values.push_back(value);
    }
    return values;
  }

  static PlanResult<void> in_range(const std::string& field, std::int64_t value, std::int64_t low,
                                   std::int64_t high) {
    if (value >= low && value <= high) return {};
    return plan_problem(field, std::to_string(value), std::to_string(low) + " to " + std::to_string(high));
  }

  const TensorMapSpec& map_;
  const PlanScope& scope_;
  std::string field_;
};

template <class T>
std::vector<T> narrowed(const Numbers& values) {
  std::vector<T> out;
  for (const std::int64_t value : values) out.push_back(static_cast<T>(value));
  return out;
}

}  // namespace

PlanResult<std::int64_t> box_bytes_of(const TensorMapSpec& map, const PlanScope& scope) {
  const MapResolver resolver(map, scope);
  KGEN_TRY(const DType dtype, resolver.dtype());
  KGEN_TRY(const Numbers box, resolver.box());
  KGEN_TRY(const Numbers strides, resolver.element_strides());
  auto bytes = static_cast<std::int64_t>(size_of(dtype));
  // Without interleave the driver ignores the innermost element stride.
  for (std::size_t i = 0; i < box.size(); ++i)
    bytes *= i == 0 && map.interleave == "none" ? box[i] : (box[i] + strides[i] - 1) / strides[i];
  return bytes;
}

PlanResult<ResolvedTensorMap> resolve_tensor_map(const TensorMapSpec& map, const PlanScope& scope,
                                                 std::int64_t buffer_bytes) {
  const MapResolver resolver(map, scope);
  ResolvedTensorMap resolved;
  resolved.name = map.name;
  resolved.buffer = map.tensor;
  KGEN_TRY(resolved.dtype, resolver.dtype());
  const auto element_bytes = static_cast<std::int64_t>(size_of(resolved.dtype));
  KGEN_TRY(resolved.box_bytes, box_bytes_of(map, scope));
  KGEN_TRY(const Numbers box, resolver.box());
  KGEN_TRY(const Numbers element_strides, resolver.element_strides());
  KGEN_TRY(const Numbers dims, resolver.global_dim(resolved.dtype));
  KGEN_TRY(const Numbers strides, resolver.global_strides(dims, element_bytes));
  KGEN_TRY(resolved.offset, resolver.offset());
  KGEN_CHECK(resolver.check_inner_box(box[0], element_bytes));
  KGEN_CHECK(resolver.check_modes(dims.size(), resolved.dtype));
  resolved.global_dim = narrowed<std::uint64_t>(dims);
  resolved.global_strides = narrowed<std::uint64_t>(strides);
  resolved.box_dim = narrowed<std::uint32_t>(box);
  resolved.element_strides = narrowed<std::uint32_t>(element_strides);
  resolved.swizzle = map.swizzle;
  resolved.l2_promotion = map.l2_promotion;
  resolved.interleave = map.interleave;
  resolved.oob_fill = map.oob_fill;
  KGEN_CHECK(resolver.check_bounds(resolved, element_bytes, buffer_bytes));
  return resolved;
}

}  // namespace kgen::core
