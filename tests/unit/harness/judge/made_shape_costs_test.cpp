// What the shapes that the judge makes cost, for every op and every known-good kernel: printed, and bounded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "core/judged_bytes.hpp"
#include "harness/judge/check_sanitizers.hpp"
#include "harness/judge/emulated_work.hpp"
#include "harness/judge/oracle_cost.hpp"
#include "harness/judge/shape_collection.hpp"
#include "planned_kernel.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kMostBytes = 20'000'000'000;  ///< of the cost model, of one shape
constexpr double kMostMs = 5'000;                    ///< of all cases of a promotion together
// An H200, as far as it was measured: expected values and comparisons of 268 MB (softmax, 8192 x 8192) take
// about 5 ms; naive fp64 code 10^13 operations a second; a step of one thread 100 ns.
constexpr double kBytesAMs = 5.0e7, kOperationsAMs = 1.0e10, kStepsAMs = 1.0e4;

constexpr std::int64_t kMostEmulated = 8'000'000;  ///< elements, about
constexpr std::int64_t kMostAside = 4'600'000;     ///< of those that stand for nothing of the plan

struct Sums {
  std::size_t shapes = 0;
  int cases = 0;
  std::int64_t operations = 0, steps = 0, bytes = 0;  ///< of the dearest shape each
  double ms = 0;
};

std::vector<std::filesystem::path> good_kernels(const std::string& op) {
  std::vector<std::filesystem::path> out;
  const std::filesystem::path folder = KGEN_SOURCE_DIR "/reference_ops/" + op + "/kernels";
  if (!std::filesystem::is_directory(folder)) return out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

void add_costs(const PlannedKernel& kernel, const std::vector<MadeShape>& shapes, Sums& sums) {
  const OracleCostModel oracle(*kernel.task.op);
  for (const MadeShape& shape : shapes) {
    const std::string at = core::describe(shape.task) + " (" + shape.why + ")";
    const auto cost = core::cost_of(shape.task).value();
    const auto expected = oracle.at(shape.task, kernel.device);
    ASSERT_TRUE(expected) << at << ": the reference cannot be resolved";
    EXPECT_TRUE(core::at_shape(kernel.task, shape.task.dims, shape.task.attributes)) << at;
    EXPECT_FALSE(is_empty(shape.task)) << at;
    EXPECT_LE(cost.bytes, kMostBytes) << at;
    EXPECT_LE(core::judged_bytes(shape.task).value(), kernel.device.memory_bytes / 3) << at;
    sums.operations = std::max(sums.operations, expected->operations);
    sums.steps = std::max(sums.steps, expected->steps);
    sums.bytes = std::max(sums.bytes, cost.bytes);
    const int cases = shape.distributions + (shape.task.attributes != kernel.task.attributes ? 1 : 0);
    ++sums.shapes;
    sums.cases += cases;
    sums.ms += cases * (0.5 + static_cast<double>(cost.bytes) / kBytesAMs +
                        static_cast<double>(expected->operations) / kOperationsAMs +
                        static_cast<double>(expected->steps) / kStepsAMs);
  }
}

/// Shapes that the sanitizers would take if fewer threads were started there.
std::size_t crowded(const PlannedKernel& kernel, const std::vector<MadeShape>& shapes) {
  return static_cast<std::size_t>(std::count_if(shapes.begin(), shapes.end(), [&](const MadeShape& shape) {
    const auto resolved = kernel.resolve(shape.task);
    if (!resolved || core::tensor_bytes(shape.task).value() > 1 << 20) return false;
    double threads = 0;
    for (const auto& step : resolved->steps) {
      const auto* const launch = std::get_if<core::ResolvedLaunch>(&step);
      if (launch != nullptr) threads += static_cast<double>(core::threads_of(launch->grid, launch->block));
    }
    return threads > kMostSanitizedThreads;
  }));
}

void print(const std::string& name, const Sums& sums, std::size_t left_out) {
  std::printf("%-44s %4zu %5d %10.2e %9.1e %9.1e %8.0f %4zu\n", name.c_str(), sums.shapes, sums.cases,
              static_cast<double>(sums.operations), static_cast<double>(sums.steps),
              static_cast<double>(sums.bytes), sums.ms, left_out);
}

TEST(MadeShapeCosts, OfEveryGoodKernelAreBoundedOnAGpu) {
  const ShapeBudget budget = shape_budget(core::DeviceKind::cuda);
  std::printf("%-44s %4s %5s %10s %9s %9s %8s %4s\n", "op/kernel dtype", "made", "cases", "operations",
              "steps", "bytes", "ms", "left");
  const auto ops = reference_ops::builtin_ops().value();
  for (const core::Op& op : ops) {
    for (const auto& file : good_kernels(op.name)) {
      for (const char* dtype : {"", "f32", "f16", "bf16"}) {
        const auto found = reference_ops::find_builtin_op(op.name).value();
        if (!core::make_task(found, dtype, {}, {})) continue;
        const PlannedKernel kernel(file, op.name, {}, dtype, 140);
        if (!kernel.serves(kernel.task)) continue;
        const MadeShapes made = kernel.made_within(11, budget);
        const auto for_branches = kernel.for_branches(11, budget);
        Sums sums;
        add_costs(kernel, made.shapes, sums);
        add_costs(kernel, for_branches, sums);
        add_costs(kernel, kernel.aside(11, budget), sums);
        const std::string name =
            op.name + "/" + file.stem().string() + " " + std::string(core::name_of(kernel.task.dtype));
        print(name, sums, made.left_out.size());
        for (const std::string& shape : made.left_out) std::printf("    left out: %s\n", shape.c_str());
        const std::size_t many = crowded(kernel, made.shapes) + crowded(kernel, for_branches);
        if (many > 0) std::printf("    crowded: %zu\n", many);
        EXPECT_LE(many, kMostCrowded) << name;
        EXPECT_LE(sums.operations, budget.oracle_operations) << name;
        EXPECT_LE(sums.steps, budget.oracle_steps) << name;
        EXPECT_LE(sums.ms, kMostMs) << name;
        break;  // one dtype that it serves
      }
    }
  }
}

std::int64_t emulated_work(const std::vector<MadeShape>& shapes) {
  std::int64_t sum = 0;
  for (const MadeShape& shape : shapes) sum += emulated_elements(shape);
  return sum;
}

TEST(MadeShapeCosts, OfEveryGoodKernelAreBoundedOnTheEmulator) {
  const ShapeBudget budget = shape_budget(core::DeviceKind::emulator);
  const auto ops = reference_ops::builtin_ops().value();
  for (const core::Op& op : ops) {
    for (const auto& file : good_kernels(op.name)) {
      const PlannedKernel kernel(file, op.name, op.emulator_dims, "", 0);
      if (!kernel.serves(kernel.task)) continue;
      const auto made = kernel.made(11, budget);
      const auto for_branches = kernel.for_branches(11, budget);
      const std::int64_t work = emulated_work(made) + emulated_work(for_branches);
      std::printf("%-40s %3zu + %2zu shapes, %5.1f million elements\n",
                  (op.name + "/" + file.stem().string()).c_str(), made.size(), for_branches.size(),
                  static_cast<double>(work) / 1e6);
      EXPECT_LE(work, kMostEmulated) << file;
      EXPECT_LE(emulated_work(kernel.aside(11, budget)), kMostAside) << file;
    }
  }
}

core::Task task_of(const char* op, const core::Dims& dims) {
  return core::make_task(reference_ops::find_builtin_op(op).value(), "", dims, {}).value();
}

TEST(OracleCost, IsWhatTheReferenceSaysWhereItDoesMoreThanTheOp) {
  const auto facts = core::facts_for_arch("sm_90a").value();
  const core::Task sort = task_of("sort_rows", {{"rows", 2}, {"cols", 1024}});
  EXPECT_EQ(OracleCostModel(*sort.op).at(sort, facts)->operations, 4 * 2 * 1024 * 1024);
  const core::Task argmax = task_of("argmax", {{"rows", 3}, {"cols", 100'000}});
  EXPECT_EQ(OracleCostModel(*argmax.op).at(argmax, facts)->steps, 100'000) << "one thread a row";
  const core::Task softmax = task_of("softmax", {{"rows", 2}, {"cols", 25'600}});
  EXPECT_EQ(OracleCostModel(*softmax.op).at(softmax, facts)->steps, 500) << "256 threads a row";
}

// A row of 2^24 takes one thread of argmax's reference seconds, and sort's a day: said, not done.
TEST(MadeShapeCosts, WhatTheReferenceCannotDoInTimeIsLeftOutAndSaid) {
  for (const auto& [op, kernel] : {std::pair{"argmax", "warp_a_row"}, {"cumsum", "warp_a_row"}}) {
    const PlannedKernel planned(
        std::string(KGEN_SOURCE_DIR "/reference_ops/") + op + "/kernels/" + kernel + ".cu", op, {}, "", 140);
    const auto made = planned.made_within(3, shape_budget(core::DeviceKind::cuda));
    EXPECT_TRUE(std::any_of(made.left_out.begin(), made.left_out.end(), [](const std::string& text) {
      return text.find("rows=1,cols=167") != std::string::npos;
    })) << op;
    for (const MadeShape& shape : made.shapes) EXPECT_LT(shape.task.dims.at("cols"), 1 << 24) << op;
  }
}

}  // namespace
}  // namespace kgen::judge
