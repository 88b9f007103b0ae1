#include "reference_ops/attention/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kgen::reference_ops {
namespace {

/// Roundings' worth by which a sum of `length` terms errs (docs/verification.md, "Tolerance").
double growth(double length) {
  return length <= 1 ? 0.0 : std::min(length, 4.0 * std::sqrt(length));
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
  return sum;
}

/// What the rounding of the weights to the tensors' dtype costs, in units of f32's roundoff.
struct WeightRounding {
  double relative, absolute;
  explicit WeightRounding(core::DType dtype)
      : relative(core::unit_roundoff(dtype) / core::unit_roundoff(core::DType::f32)),
        absolute(core::facts_of(dtype).min_normal * relative) {}
};

/// One query against the keys that it sees.
struct QueryRow {
  std::span<const double> query, keys, values;  ///< [D], [visible, D], [visible, D]
  std::span<double> out, scale;                 ///< [D]
  double logit_scale;
  WeightRounding rounding;
  std::vector<double>& weights;    ///< scratch, [visible]
  std::vector<double>& roundings;  ///< scratch: by how many roundings each weight errs

  std::size_t visible() const { return keys.size() / query.size(); }
  std::span<const double> key(std::size_t j) const { return keys.subspan(j * query.size(), query.size()); }
};

/// Fills weights = exp(s - max s) and their errors; returns the weights' sum.
double weigh(const QueryRow& row) {
  const auto length = static_cast<double>(row.query.size());
  const double query_norm = std::sqrt(dot(row.query, row.query));
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < row.visible(); ++j) {
    row.weights[j] = row.logit_scale * dot(row.query, row.key(j));
    largest = std::fmax(largest, row.weights[j]);
  }
  double sum = 0;
  for (std::size_t j = 0; j < row.visible(); ++j) {
    const double condition = row.logit_scale * query_norm * std::sqrt(dot(row.key(j), row.key(j)));
    const double shifted = row.weights[j] - largest;
    row.weights[j] = std::exp(shifted);
    row.roundings[j] = (growth(length) + 5) * condition + 2 * std::fabs(shifted) + 4;
    sum += row.weights[j];
  }
  return sum;
}

/// The formulas stand in docs/verification.md, "Attention".
void attend(const QueryRow& row) {
  std::fill(row.out.begin(), row.out.end(), 0.0);
  std::fill(row.scale.begin(), row.scale.end(), 0.0);
  const std::size_t visible = row.visible(), width = row.query.size();
  if (visible == 0) return;
  const auto count = static_cast<double>(visible);
  const double sum = weigh(row), adding = growth(count) + 8;
  std::vector<double> squares(width, 0.0);
  double sum_roundings = 0;
  for (std::size_t j = 0; j < visible; ++j) {
    const double weight = row.weights[j] / sum;
    const double error = weight * (adding + row.roundings[j]) + row.rounding.absolute / sum;
    sum_roundings += weight * row.roundings[j];
    for (std::size_t d = 0; d < width; ++d) {
      const double term = weight * row.values[j * width + d];
      row.out[d] += term;
      squares[d] += term * term;
      row.scale[d] += error * std::fabs(row.values[j * width + d]);
    }
  }
  const double independent = row.rounding.relative * std::max(growth(count), 1.0) / std::sqrt(count);
  for (std::size_t d = 0; d < width; ++d) {
    row.scale[d] += std::fabs(row.out[d]) * (adding + sum_roundings) + independent * std::sqrt(squares[d]);
  }
}

}  // namespace

Status attention(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return call.task->dims.at(name); };
  const std::int64_t heads = dim("Hq"), queries = dim("S"), keys = dim("Skv"), width = dim("D");
  const std::int64_t group = heads / dim("Hkv");
  const bool causal = call.task->attributes.at("causal") != 0;
  const auto rows = [&](std::int64_t first, std::int64_t count) {
    return std::pair{static_cast<std::size_t>(first * width), static_cast<std::size_t>(count * width)};
  };
  parallel_for(dim("B") * heads * queries, call.threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> weights(static_cast<std::size_t>(keys)), roundings(weights.size());
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t i = r % queries, head = r / queries;
      const std::int64_t visible = causal ? std::clamp<std::int64_t>(i + 1 + keys - queries, 0, keys) : keys;
      const auto [own, one] = rows(r, 1);
      const auto [shared, seen] = rows(head / group * keys, visible);
      attend({call.inputs.at("q").subspan(own, one), call.inputs.at("k").subspan(shared, seen),
              call.inputs.at("v").subspan(shared, seen), call.expected.at("o").subspan(own, one),
              call.scale.at("o").subspan(own, one), 1.0 / std::sqrt(static_cast<double>(width)),
              WeightRounding(call.task->dtype), weights, roundings});
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
