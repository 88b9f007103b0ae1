#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "core/launch_plan.hpp"
#include "core/task.hpp"
#include "plan_examples.hpp"

/// Small tasks for the plan's tests, and how to get a plan's parts out of a test.
namespace kgen::core::examples {

inline const DeviceFacts kHopper;

inline util::Expr expr(const std::string& text) {
  return util::Expr::parse(text).value();
}

inline Tensor tensor(const std::string& name, Role role, const std::string& dtype,
                     const std::vector<std::string>& shape) {
  Tensor out{name, role, dtype, {}};
  for (const std::string& extent : shape) out.shape.push_back(expr(extent));
  return out;
}

inline Task task_of(Op op, const Dims& dims) {
  for (const auto& [name, extent] : dims) {
    op.dim_names.push_back(name);
    op.min_dims[name] = 0;
  }
  op.default_dims = dims;
  return make_task(std::make_shared<const Op>(std::move(op)), "", {}, {}).value();
}

/// c[M, N] = a[M, K] * b[K, N].
inline Task gemm_task(std::int64_t m = 1024, std::int64_t n = 512, std::int64_t k = 256,
                      DType dtype = DType::bf16) {
  Op op;
  op.name = "gemm";
  op.dtypes = {dtype};
  op.default_dtype = dtype;
  op.tensors = {tensor("a", Role::input, "T", {"M", "K"}), tensor("b", Role::input, "T", {"K", "N"}),
                tensor("c", Role::output, "T", {"M", "N"})};
  return task_of(std::move(op), {{"M", m}, {"N", n}, {"K", k}});
}

/// o = attention(q, k, v), [B, H, S, D], bf16, with a float, an int and a bool attribute.
inline Task attention_task(std::int64_t s = 1000, std::int64_t d = 128) {
  Op op;
  op.name = "attention";
  op.dtypes = {DType::bf16};
  op.default_dtype = DType::bf16;
  for (const char* name : {"q", "k", "v", "o"})
    op.tensors.push_back(
        tensor(name, name[0] == 'o' ? Role::output : Role::input, "T", {"B", "H", "S", "D"}));
  op.attributes = {{"scale", "float", 0.125, ""}, {"window", "int", 7, ""}, {"causal", "bool", 1, ""}};
  return task_of(std::move(op), {{"B", 2}, {"H", 4}, {"S", s}, {"D", d}});
}

/// y[n] and u[n] (f32) and an int8 output from x[n] (f32); `state` is updated in place.
inline Task mixed_task(std::int64_t n = 4096) {
  Op op;
  op.name = "mixed";
  op.dtypes = {DType::f32};
  op.tensors = {tensor("x", Role::input, "f32", {"n"}),  tensor("w4", Role::input, "u4x8", {"n / 8"}),
                tensor("y", Role::output, "f32", {"n"}), tensor("h", Role::output, "f16", {"n"}),
                tensor("q8", Role::output, "i8", {"n"}), tensor("state", Role::inout, "u64", {"n"})};
  return task_of(std::move(op), {{"n", n}});
}

inline LaunchPlan plan_of(const std::string& json) {
  auto plan = parse_plan(candidate(json));
  if (!plan) throw std::runtime_error(plan.error().text());
  return *std::move(plan);
}

template <class T>
PlanProblem problem_in(const PlanResult<T>& result) {
  EXPECT_FALSE(result);
  return result ? PlanProblem{} : result.error();
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace kgen::core::examples
