#include "cli/value_gaps.hpp"

#include <algorithm>
#include <cmath>

#include "core/index_values.hpp"
#include "util/text.hpp"

namespace kgen::cli {
namespace {

using core::Generator;
using Kind = core::GeneratorKind;

constexpr double kFar = 89;            ///< exp(89) is infinite in f32
constexpr double kSmall = 1e-4;        ///< less than most constants that keep a value from 0
constexpr double kMostDeviations = 4;  ///< that a normal distribution has in a few thousand values
constexpr double kFewValues = 64;      ///< whole numbers of so short a range meet again and again

bool has_every_pattern(const Generator& values) {
  return values.kind == Kind::special || values.kind == Kind::bits || values.kind == Kind::finite_bits;
}

bool has_exponents(const Generator& values) {
  return values.kind == Kind::log_scale || values.kind == Kind::power_of_two;
}

bool has_ends(const Generator& values) {
  return values.kind == Kind::uniform || values.kind == Kind::constant || values.kind == Kind::integers ||
         values.kind == Kind::one_hot || values.kind == Kind::ramp || values.kind == Kind::runs;
}

/// The larger of the finite ends.
double farthest_end(const Generator& values) {
  double farthest = 0;
  for (const double end : {values.low, values.high})
    if (std::isfinite(end)) farthest = std::max(farthest, std::fabs(end));
  return farthest;
}

double deviation(const Generator& values) {
  return std::hypot(values.stddev, values.row_stddev);
}

bool has_far(const Generator& values) {
  if (has_every_pattern(values)) return true;
  if (has_exponents(values)) return values.high > std::log2(kFar);
  if (has_ends(values)) return farthest_end(values) >= kFar;
  if (values.kind == Kind::full_mantissa) return false;
  const bool stands_out = values.kind == Kind::peak || values.kind == Kind::stripes;
  const double normal = std::fabs(values.mean) + kMostDeviations * deviation(values);
  return normal >= kFar || (stands_out && std::isfinite(values.high) && std::fabs(values.high) >= kFar);
}

bool has_small(const Generator& values) {
  if (has_every_pattern(values)) return true;
  if (has_exponents(values)) return values.low < std::log2(kSmall);
  const auto is_small = [](double value) { return value != 0 && std::fabs(value) <= kSmall; };
  if (values.kind == Kind::constant) return is_small(values.low);
  if (values.kind == Kind::uniform) return farthest_end(values) <= kSmall;
  if (values.kind == Kind::one_hot) return is_small(values.low) || is_small(values.high);
  return values.kind == Kind::normal && std::fabs(values.mean) + deviation(values) <= kSmall;
}

bool has_equal(const Generator& values) {
  const bool may_be_zero = values.kind == Kind::normal || values.kind == Kind::integers ||
                           has_exponents(values) || values.kind == Kind::bits ||
                           values.kind == Kind::finite_bits;
  if (may_be_zero && values.density < 1) return true;
  if (values.kind == Kind::integers) return values.high - values.low <= kFewValues;
  return values.kind == Kind::constant || values.kind == Kind::one_hot || values.kind == Kind::zero_runs ||
         values.kind == Kind::masked_runs || values.kind == Kind::runs;
}

/// Generators of the tensor, one for each distribution.
std::vector<Generator> generators_of(const core::Op& op, const core::Tensor& tensor) {
  std::vector<Generator> out;
  for (const core::Distribution& each : op.distributions) {
    const auto named = each.per_tensor.find(tensor.name);
    out.push_back(named == each.per_tensor.end() ? each.values : named->second);
  }
  return out;
}

/// What the generators do not give a float that may be anything; empty: nothing.
std::string gaps_of_floats(const std::vector<Generator>& generators) {
  std::vector<std::string> gaps;
  if (std::ranges::none_of(generators, has_far))
    gaps.emplace_back("values beyond 89 (f32's exp overflows there)");
  if (std::ranges::none_of(generators, has_small))
    gaps.emplace_back("values below 1e-4 other than 0 (an eps or a flush counts there)");
  if (std::ranges::none_of(generators, has_equal)) gaps.emplace_back("many equal values");
  if (gaps.empty()) return "";
  return "every value is legal (special_values = \"propagate\"), but no distribution has " +
         util::join(gaps) +
         ": what a kernel does there is not seen; log_scale, normal and integers give them";
}

bool is_plain_integer(const core::Tensor& tensor) {
  return (tensor.dtype == "i32" || tensor.dtype == "i64") && tensor.below.text().empty();
}

}  // namespace

bool takes_floats(const core::Op& op, const core::Tensor& tensor) {
  const auto is_float = [](core::DType dtype) { return core::facts_of(dtype).is_float; };
  if (tensor.role == core::Role::output) return false;
  return tensor.dtype == "T" ? std::ranges::any_of(op.dtypes, is_float)
                             : is_float(*core::parse_dtype(tensor.dtype));
}

std::vector<core::Finding> value_gaps(const core::Op& op) {
  std::vector<core::Finding> findings;
  for (const core::Tensor& tensor : op.tensors) {
    if (tensor.role == core::Role::output) continue;
    std::string gap;
    if (takes_floats(op, tensor) && op.special_values == core::SpecialValues::propagate)
      gap = gaps_of_floats(generators_of(op, tensor));
    else if (is_plain_integer(tensor) && !core::is_named(op, tensor))
      gap = "drawn as floats are and rounded: nothing names it, and an index or a length needs `below`";
    if (!gap.empty())
      findings.push_back({"values of " + tensor.name, core::Finding::State::missing, "", std::move(gap)});
  }
  return findings;
}

}  // namespace kgen::cli
