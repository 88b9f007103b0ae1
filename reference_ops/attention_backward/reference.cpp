#include "reference_ops/attention_backward/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference_ops/dot.hpp"
#include "reference_ops/sum_growth.hpp"

// The symbols are those of docs/verification.md, "Attention, backward". Errors are in units of f32's
// roundoff.
namespace kgen::reference_ops {
namespace {

using Row = std::span<const double>;

constexpr double kSmallest = std::numeric_limits<float>::min();  ///< what f32 holds less of may become 0
constexpr double kAll = 0x1p24;                                  ///< an error as large as the value

double norm(Row a) {
  return std::sqrt(dot(a, a));
}

/// What rounding to the tensors' dtype costs.
struct DtypeRounding {
  double relative;         ///< in units of f32's roundoff
  double smallest_normal;  ///< below it the error is that of a number of this size
  double lost;             ///< what is smaller may become 0

  explicit DtypeRounding(core::DType dtype)
      : relative(core::unit_roundoff(dtype) / core::unit_roundoff(core::DType::f32)),
        smallest_normal(core::facts_of(dtype).min_normal),
        lost(core::unit_roundoff(dtype) * smallest_normal) {}

  /// The size that the rounding of `value` is relative to, 0 where all of it may be lost.
  double size(double value) const {
    return std::fabs(value) < lost ? 0.0 : std::fmax(std::fabs(value), smallest_normal);
  }
  /// What is lost of a value too small to be anything but 0.
  double loss(double value) const { return std::fabs(value) < lost ? kAll * std::fabs(value) : 0.0; }
};

/// One query's softmax and what both its sums give.
struct QueryFacts {
  double largest = 0, sum = 0;               ///< m, l
  double weight_errors = 0;                  ///< a + R: by how much all of its weights err alike
  double delta = 0;                          ///< dout . o
  double delta_error = 0;                    ///< by f32 arithmetic
  double delta_square = 0;                   ///< V: of what is rounded to the dtype on the way to delta
  double query_norm = 0, gradient_norm = 0;  ///< |q| / sqrt(D), |dout|
};

/// A query beside a key that it sees.
struct Pair {
  double weight = 0, weight_error = 0;  ///< p, its error relative to it
  double ds = 0, ds_error = 0;
};

/// A row of an output on its way: its sum, and what that errs by.
struct Gradient {
  std::vector<double> sum, squares, error;

  explicit Gradient(std::size_t width) : sum(width), squares(width), error(width) {}
  void add(Row x, double factor, double square, double of_magnitude) {
    for (std::size_t d = 0; d < x.size(); ++d) {
      sum[d] += factor * x[d];
      squares[d] += square * x[d] * x[d];
      error[d] += of_magnitude * std::fabs(x[d]);
    }
  }
  /// `cut`: what is relative to the sum itself; `spread`: of the root of the squares.
  void finish(std::span<double> out, std::span<double> scale, double cut, double spread) const {
    for (std::size_t d = 0; d < out.size(); ++d) {
      out[d] = sum[d];
      scale[d] = error[d] + cut * std::fabs(sum[d]) + spread * std::sqrt(squares[d]);
    }
  }
};

class Backward {
 public:
  explicit Backward(const ReferenceCall& call)
      : call_(call),
        heads_(dim("Hq")),
        group_(heads_ / dim("Hkv")),
        queries_(dim("S")),
        keys_(dim("Skv")),
        width_(dim("D")),
        causal_(call.task->attributes.at("causal") != 0),
        logit_scale_(1.0 / std::sqrt(static_cast<double>(width_))),
        rounding_(call.task->dtype),
        facts_(static_cast<std::size_t>(query_rows())) {
    for (std::int64_t row = 0; row < key_rows(); ++row) {
      key_norms_.push_back(norm(input("k", row)));
      value_norms_.push_back(norm(input("v", row)));
    }
  }

  std::int64_t query_rows() const { return dim("B") * heads_ * queries_; }
  std::int64_t key_rows() const { return dim("B") * dim("Hkv") * keys_; }
  void weigh(std::int64_t row);
  void query_gradient(std::int64_t row);
  void key_gradients(std::int64_t row);

 private:
  std::int64_t dim(const char* name) const { return call_.task->dims.at(name); }
  std::span<const double> input(const char* name, std::int64_t row) const {
    return call_.inputs.at(name).subspan(static_cast<std::size_t>(row * width_),
                                         static_cast<std::size_t>(width_));
  }
  void write(const char* name, std::int64_t row, const Gradient& gradient, double cut, double spread) const {
    const auto first = static_cast<std::size_t>(row * width_), count = static_cast<std::size_t>(width_);
    gradient.finish(call_.expected.at(name).subspan(first, count), call_.scale.at(name).subspan(first, count),
                    cut, spread);
  }
  /// Where the keys of a query's head begin, and how many of them it sees.
  std::int64_t first_key(std::int64_t row) const { return row / queries_ / group_ * keys_; }
  std::int64_t visible(std::int64_t row) const {
    return causal_ ? std::clamp<std::int64_t>(row % queries_ + 1 + keys_ - queries_, 0, keys_) : keys_;
  }
  double logit_errors(double condition, double shifted) const {
    return (sum_growth(static_cast<double>(width_)) + 5) * condition + 3 * std::fabs(shifted) + 4;
  }
  Pair pair(std::int64_t query, std::int64_t key) const;

  const ReferenceCall& call_;
  std::int64_t heads_, group_, queries_, keys_, width_;
  bool causal_;
  double logit_scale_;
  DtypeRounding rounding_;
  std::vector<QueryFacts> facts_;
  std::vector<double> key_norms_, value_norms_;
};

void Backward::weigh(std::int64_t row) {
  QueryFacts& facts = facts_[static_cast<std::size_t>(row)];
  const Row query = input("q", row), gradient = input("dout", row);
  const std::int64_t count = visible(row), first = first_key(row);
  facts.query_norm = logit_scale_ * norm(query);
  facts.gradient_norm = norm(gradient);
  if (count == 0) return;
  std::vector<double> logits(static_cast<std::size_t>(count)), out(query.size());
  facts.largest = -std::numeric_limits<double>::infinity();
  for (std::int64_t j = 0; j < count; ++j) {
    logits[static_cast<std::size_t>(j)] = logit_scale_ * dot(query, input("k", first + j));
    facts.largest = std::fmax(facts.largest, logits[static_cast<std::size_t>(j)]);
  }
  for (const double logit : logits) facts.sum += std::exp(logit - facts.largest);
  const double normal = rounding_.smallest_normal * rounding_.smallest_normal;
  const double adding = sum_growth(static_cast<double>(count)) + 8 + 2 * std::log(facts.sum);
  double errors = 0, products = 0, product_errors = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const auto key = static_cast<std::size_t>(first + j);
    const double shifted = logits[static_cast<std::size_t>(j)] - facts.largest;
    const double weight = std::exp(shifted) / facts.sum;
    const double own = logit_errors(facts.query_norm * key_norms_[key], shifted);
    const double product = dot(gradient, input("v", first + j));
    const double magnitude = facts.gradient_norm * value_norms_[key];
    errors += weight * own;
    products += weight * magnitude;
    product_errors += weight * magnitude * own;
    facts.delta += weight * product;
    facts.delta_square += (weight * weight + normal) * product * product;
    for (std::size_t d = 0; d < out.size(); ++d) out[d] += weight * input("v", first + j)[d];
  }
  for (std::size_t d = 0; d < out.size(); ++d)
    facts.delta_square += gradient[d] * gradient[d] * (out[d] * out[d] + normal);
  facts.weight_errors = adding + errors;
  facts.delta_error =
      products * (2 * adding + sum_growth(static_cast<double>(width_)) + 2 + errors) + product_errors;
}

Pair Backward::pair(std::int64_t query, std::int64_t key) const {
  const QueryFacts& facts = facts_[static_cast<std::size_t>(query)];
  const double key_norm = key_norms_[static_cast<std::size_t>(key)];
  const double value_norm = value_norms_[static_cast<std::size_t>(key)];
  const double shifted = logit_scale_ * dot(input("q", query), input("k", key)) - facts.largest;
  const double product = dot(input("dout", query), input("v", key));
  Pair out;
  out.weight = std::exp(shifted) / facts.sum;
  out.weight_error = facts.weight_errors + logit_errors(facts.query_norm * key_norm, shifted);
  out.ds = out.weight * (product - facts.delta);
  const double of_product = sum_growth(static_cast<double>(width_)) * facts.gradient_norm * value_norm;
  if (out.weight < kSmallest) out.weight_error += kAll;
  out.ds_error = std::fabs(out.ds) * (out.weight_error + 2) + out.weight * (of_product + facts.delta_error);
  if (std::fabs(out.ds) < kSmallest) out.ds_error += kAll * std::fabs(out.ds);
  return out;
}

void Backward::query_gradient(std::int64_t row) {
  const std::int64_t count = visible(row), first = first_key(row);
  const double growth = sum_growth(static_cast<double>(count));
  Gradient sum(static_cast<std::size_t>(width_));
  std::vector<double> mean(static_cast<std::size_t>(width_));
  for (std::int64_t j = 0; j < count; ++j) {
    const Row key = input("k", first + j);
    const Pair at = pair(row, first + j);
    const double rounded = logit_scale_ * rounding_.size(at.ds);
    sum.add(key, logit_scale_ * at.ds, rounded * rounded,
            logit_scale_ * (at.ds_error + (growth + 1) * std::fabs(at.ds) + rounding_.loss(at.ds)));
    for (std::size_t d = 0; d < mean.size(); ++d) mean[d] += logit_scale_ * at.weight * key[d];
  }
  for (std::size_t d = 0; d < mean.size(); ++d)
    sum.squares[d] += facts_[static_cast<std::size_t>(row)].delta_square * mean[d] * mean[d];
  write("dq", row, sum, std::ceil(static_cast<double>(count) / 8) + 2, 4 * rounding_.relative);
}

void Backward::key_gradients(std::int64_t row) {
  const std::int64_t key_head = row / keys_, j = row % keys_;
  const std::int64_t first = causal_ ? std::max<std::int64_t>(0, j + queries_ - keys_) : 0;
  const auto count = static_cast<double>(group_ * (queries_ - first));
  const double growth = sum_growth(count);
  Gradient of_key(static_cast<std::size_t>(width_)), of_value(static_cast<std::size_t>(width_));
  for (std::int64_t head = key_head * group_; head < (key_head + 1) * group_; ++head) {
    for (std::int64_t query = head * queries_ + first; query < (head + 1) * queries_; ++query) {
      const Pair at = pair(query, row);
      const double rounded = rounding_.size(at.ds), rounded_weight = rounding_.size(at.weight);
      const double delta_square = facts_[static_cast<std::size_t>(query)].delta_square;
      of_key.add(input("q", query), logit_scale_ * at.ds,
                 logit_scale_ * logit_scale_ * (rounded * rounded + delta_square * at.weight * at.weight),
                 logit_scale_ * (at.ds_error + (growth + 1) * std::fabs(at.ds) + rounding_.loss(at.ds)));
      of_value.add(input("dout", query), at.weight, rounded_weight * rounded_weight,
                   at.weight * (at.weight_error + growth + 1) + rounding_.loss(at.weight));
    }
  }
  const double cut = std::ceil(count / 8) + 2;
  write("dk", row, of_key, cut, 4 * rounding_.relative);
  write("dv", row, of_value, cut + rounding_.relative, std::fmin(4.0, std::sqrt(count)) * rounding_.relative);
}

}  // namespace

Status attention_backward(const ReferenceCall& call) {
  Backward backward(call);
  const auto each = [&](std::int64_t rows, void (Backward::*step)(std::int64_t)) {
    parallel_for(rows, call.threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) (backward.*step)(row);
    });
  };
  each(backward.query_rows(), &Backward::weigh);
  each(backward.query_rows(), &Backward::query_gradient);
  each(backward.key_rows(), &Backward::key_gradients);
  return {};
}

}  // namespace kgen::reference_ops
