#include "harness/judge/rules.hpp"

#include <algorithm>

#include "reference_ops/sum_growth.hpp"

namespace kgen::judge {

using core::DType;

static_assert(static_cast<int>(DType::f64) == kF64 && static_cast<int>(DType::f32) == kF32 &&
              static_cast<int>(DType::f16) == kF16 && static_cast<int>(DType::bf16) == kBf16 &&
              static_cast<int>(DType::tf32) == kTf32 && static_cast<int>(DType::f8e4m3) == kF8e4m3 &&
              static_cast<int>(DType::f8e5m2) == kF8e5m2 && static_cast<int>(DType::i64) == kI64 &&
              static_cast<int>(DType::u64) == kU64 && static_cast<int>(DType::i32) == kI32 &&
              static_cast<int>(DType::u32) == kU32 && static_cast<int>(DType::i16) == kI16 &&
              static_cast<int>(DType::u16) == kU16 && static_cast<int>(DType::i8) == kI8 &&
              static_cast<int>(DType::u8) == kU8 && static_cast<int>(DType::b8) == kB8 &&
              static_cast<int>(DType::u4x8) == kU4x8);
static_assert(static_cast<int>(core::GeneratorKind::normal) == kNormal &&
              static_cast<int>(core::GeneratorKind::uniform) == kUniform &&
              static_cast<int>(core::GeneratorKind::constant) == kConstant &&
              static_cast<int>(core::GeneratorKind::integers) == kIntegers &&
              static_cast<int>(core::GeneratorKind::full_mantissa) == kFullMantissa &&
              static_cast<int>(core::GeneratorKind::one_hot) == kOneHot &&
              static_cast<int>(core::GeneratorKind::special) == kSpecial &&
              static_cast<int>(core::GeneratorKind::non_finite) == kNonFinite &&
              static_cast<int>(core::GeneratorKind::log_scale) == kLogScale &&
              static_cast<int>(core::GeneratorKind::power_of_two) == kPowerOfTwo &&
              static_cast<int>(core::GeneratorKind::ramp) == kRamp &&
              static_cast<int>(core::GeneratorKind::masked_runs) == kMaskedRuns &&
              static_cast<int>(core::GeneratorKind::bits) == kBits &&
              static_cast<int>(core::GeneratorKind::finite_bits) == kFiniteBits &&
              static_cast<int>(core::GeneratorKind::zero_runs) == kZeroRuns &&
              static_cast<int>(core::GeneratorKind::peak) == kPeak &&
              static_cast<int>(core::GeneratorKind::stripes) == kStripes &&
              static_cast<int>(core::GeneratorKind::runs) == kRuns);

namespace {

/// Whether a float input has the index's `below` among its extents, however either is spelled.
bool chooses_rows(const core::Op& op, const std::vector<core::TensorFacts>& tensors, std::size_t index) {
  const auto names = op.tensors[index].below.names();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role != core::Role::input || !core::facts_of(tensors[i].dtype).is_float) continue;
    for (std::size_t axis = 0; axis < tensors[i].shape.size(); ++axis) {
      if (tensors[i].shape[axis] == tensors[index].below && op.tensors[i].shape[axis].names() == names)
        return true;
    }
  }
  return false;
}

/// Rows of the smallest table that an index of the op chooses rows of; 0: no index does.
std::int64_t rows_chosen_from(const core::Op& op, const std::vector<core::TensorFacts>& tensors) {
  std::int64_t least = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::int64_t below = tensors[i].below;
    if (below > 0 && !tensors[i].ends && chooses_rows(op, tensors, i))
      least = least > 0 ? std::min(least, below) : below;
  }
  return least;
}

}  // namespace

double growth_of(double length, std::int64_t rows) {
  return rows > 0 ? reference_ops::sum_growth_of_rows(length, static_cast<double>(rows))
                  : reference_ops::sum_growth(length);
}

double absolute_floor(DType output, DType accumulator) {
  const auto& facts = core::facts_of(output);
  if (!facts.is_float) return 0.5;
  const bool flushed = output != DType::f16 && facts.bytes > 1;
  const double own = flushed ? facts.min_normal : facts.min_normal * core::unit_roundoff(output);
  const bool accumulates_in_float = core::facts_of(accumulator).is_float;
  return own + (accumulates_in_float ? core::facts_of(accumulator).min_normal : 0.0);
}

Result<ToleranceParams> tolerance_params(const core::Task& task, const core::TensorFacts& output,
                                         const core::Distribution& distribution) {
  ToleranceParams params;
  params.dtype = static_cast<int>(output.dtype);
  params.exact = distribution.compare_equal ? 1 : 0;
  params.propagate = task.op->special_values == core::SpecialValues::propagate ? 1 : 0;
  const auto found = task.op->tolerances.find(output.name);
  if (found == task.op->tolerances.end()) return params;
  const core::Tolerance& tolerance = found->second;
  KGEN_TRY(const auto tensors, core::tensors_of(task));
  const auto scope = core::scope_of(task, tensors);
  KGEN_TRY(const auto length, tolerance.length.evaluate(scope));
  KGEN_TRY(const auto steps, tolerance.steps.evaluate(scope));
  KGEN_TRY(const auto value_steps, tolerance.value_steps.evaluate(scope));
  params.rounds = core::facts_of(output.dtype).is_float ? 0 : 1;
  params.u_out = core::unit_roundoff(output.dtype);
  params.u_acc = core::unit_roundoff(tolerance.accumulator);
  params.steps = static_cast<double>(steps);
  params.value_steps = static_cast<double>(value_steps);
  params.growth = growth_of(static_cast<double>(length), rows_chosen_from(*task.op, tensors));
  params.floor = absolute_floor(output.dtype, tolerance.accumulator);
  params.growth_of_value = tolerance.growth_of_value ? 1 : 0;
  params.overflow_either = tolerance.overflow_either ? 1 : 0;
  params.signed_zeros = tolerance.signed_zeros ? 1 : 0;
  return params;
}

FillParams fill_params(const core::Distribution& distribution, const core::TensorFacts& tensor,
                       std::size_t tensor_number, std::uint64_t seed) {
  const auto own = distribution.per_tensor.find(tensor.name);
  core::Generator g = own == distribution.per_tensor.end() ? distribution.values : own->second;
  if (own == distribution.per_tensor.end() && tensor.below > 0) {  // any of them, one as likely as the other
    g = {};
    g.kind = core::GeneratorKind::integers;
    g.high = static_cast<double>(tensor.below - 1);
  }
  FillParams params;
  params.kind = static_cast<int>(g.kind);
  params.dtype = static_cast<int>(tensor.dtype);
  params.mean = g.mean;
  params.stddev = g.stddev;
  params.low = g.low;
  params.high = g.high;
  params.density = g.density;
  params.row_stddev = g.row_stddev;
  params.per_row = g.per_row;
  const core::RowFacts rows = g.row_axis == 0 ? core::RowFacts{tensor.row_length, tensor.row_stride}
                                              : core::rows_along(tensor, g.row_axis);
  params.row_length = rows.length;
  params.row_stride = rows.stride;
  params.below = tensor.below;
  params.ends = tensor.ends ? 1 : 0;
  params.key = stream_key(seed, tensor_number);
  return params;
}

std::uint64_t case_seed(std::uint64_t seed, std::string_view dims, std::string_view distribution,
                        int execution) {
  U64 key = mix64(seed + static_cast<U64>(execution) * 0x9e3779b97f4a7c15ull);
  for (const std::string_view text : {dims, distribution}) {
    for (const char c : text) key = mix64(key ^ static_cast<unsigned char>(c));
    key = mix64(key + 1);
  }
  return key;
}

}  // namespace kgen::judge
