// The gradients of attention against differences of its forward reference.
#include <gtest/gtest.h>

#include <cmath>

#include "reference_ops/builtin_ops.hpp"
#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {
namespace {

using Values = std::map<std::string, std::vector<double>>;

/// One batch, two heads of keys with two of queries each, D = 64.
struct Case {
  core::Dims dims;
  double causal;
  Values inputs;

  Case(std::int64_t queries, std::int64_t keys, double mask)
      : dims{{"B", 1}, {"Hq", 4}, {"Hkv", 2}, {"S", queries}, {"Skv", keys}, {"D", 64}}, causal(mask) {
    std::uint32_t state = 1;
    for (const auto& [name, rows] :
         {std::pair{"q", 4 * queries}, {"k", 2 * keys}, {"v", 2 * keys}, {"dout", 4 * queries}}) {
      auto& values = inputs[name];
      for (std::int64_t i = 0; i < rows * 64; ++i) {
        state = state * 1664525u + 1013904223u;
        values.push_back(static_cast<double>(state >> 16) / 32768.0 - 1.0);
      }
    }
  }

  /// Outputs of that op's reference, and under "NAME_scale" their scales.
  Values run(const char* op) const {
    const core::Task task =
        core::make_task(find_builtin_op(op).value(), "bf16", dims, {{"causal", causal}}).value();
    Values out;
    ReferenceCall call;
    call.task = &task;
    call.threads = 1;
    const auto tensors = core::tensors_of(task).value();
    for (const auto& tensor : tensors) {
      const auto count = static_cast<std::size_t>(tensor.elements);
      if (tensor.role == core::Role::input) {
        call.inputs[tensor.name] = inputs.at(tensor.name);
      } else {
        call.expected[tensor.name] = out[tensor.name] = std::vector<double>(count);
        call.scale[tensor.name] = out[tensor.name + "_scale"] = std::vector<double>(count);
      }
    }
    EXPECT_TRUE(find_reference(op)->function(call));
    return out;
  }

  /// dout . o.
  double loss() const {
    const auto o = run("attention").at("o");
    double sum = 0;
    for (std::size_t i = 0; i < o.size(); ++i) sum += o[i] * inputs.at("dout")[i];
    return sum;
  }
};

void compare_with_differences(Case c) {
  const Values gradients = c.run("attention_backward");
  for (const auto& [of, gradient] : {std::pair{"q", "dq"}, {"k", "dk"}, {"v", "dv"}}) {
    auto& values = c.inputs.at(of);
    ASSERT_EQ(gradients.at(gradient).size(), values.size());
    for (std::size_t i = 0; i < values.size(); i += 41) {
      const double value = values[i], step = 1e-5;
      values[i] = value + step;
      const double above = c.loss();
      values[i] = value - step;
      const double below = c.loss();
      values[i] = value;
      EXPECT_NEAR(gradients.at(gradient)[i], (above - below) / (2 * step), 1e-8)
          << gradient << "[" << i << "]";
    }
  }
}

TEST(AttentionBackward, IsTheDerivativeOfAttention) {
  compare_with_differences({3, 4, 0});
}

TEST(AttentionBackward, SeesTheSameKeysUnderACausalMask) {
  compare_with_differences({3, 5, 1});
  compare_with_differences({4, 2, 1});
}

TEST(AttentionBackward, OfAQueryThatSeesNoKeyIsZero) {
  const Values gradients = Case(4, 2, 1).run("attention_backward");
  for (std::size_t i = 0; i < 2 * 64; ++i) {
    EXPECT_EQ(gradients.at("dq")[i], 0);
    EXPECT_EQ(gradients.at("dq_scale")[i], 0);
  }
  EXPECT_NE(gradients.at("dq")[3 * 64], 0);
}

TEST(AttentionBackward, ScaleHoldsTheRoundingOfEachFactorToTheDtype) {
  const Values gradients = Case(8, 8, 0).run("attention_backward");
  const double rounding = 0x1p16;  // bf16's, in units of f32's
  for (const char* name : {"dq", "dk", "dv"}) {
    const auto& values = gradients.at(name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double scale = gradients.at(std::string(name) + "_scale")[i];
      EXPECT_TRUE(std::isfinite(scale));
      EXPECT_GT(scale, rounding * std::fabs(values[i]) / 2) << name;
    }
  }
}

}  // namespace
}  // namespace kgen::reference_ops
