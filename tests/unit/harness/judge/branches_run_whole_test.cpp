#include "harness/judge/branches_run_whole.hpp"

#include <gtest/gtest.h>

#include "planned_kernel.hpp"

namespace kgen::judge {
namespace {

/// Rows of more than 58048 columns do not fit in shared memory, and take a path of their own.
struct LongRows : PlannedKernel {
  std::vector<ShapeCase> shapes;
  std::vector<std::int64_t> work;

  LongRows()
      : PlannedKernel(KGEN_SOURCE_DIR "/tests/adversarial/kernels/layer_norm/long_rows_in_one_pass.cu",
                      "layer_norm", {{"rows", 8}, {"cols", 256}}, "f32", 80) {
    add(8, 256);
  }

  /// A shape of the op's list, or one of the judge's own.
  void add(std::int64_t rows, std::int64_t cols, const char* made = "", double eps = 1e-5) {
    const core::Dims dims = {{"rows", rows}, {"cols", cols}};
    shapes.push_back(case_of(core::at_shape(task, dims, {{"eps", eps}}).value()));
    shapes.back().made = made;
    work.push_back(rows * cols);
  }

  BranchesRunWhole on(core::DeviceKind kind) const { return branches_run_whole(plan, shapes, work, kind); }
  std::set<std::size_t> on_gpu() const { return on(core::DeviceKind::cuda).shapes; }
  std::set<std::size_t> on_emulator() const { return on(core::DeviceKind::emulator).shapes; }
};

using Chosen = std::set<std::size_t>;

TEST(BranchesRunWhole, ABranchOfTheJudgesOwnShapesAloneIsRunAtTheLeast) {
  LongRows kernel;
  kernel.add(3, 60001, "beside a number");
  kernel.add(2, 60001, "beside a number");
  kernel.add(2, 300, "small");
  EXPECT_EQ(kernel.on_gpu(), Chosen{2});
  EXPECT_EQ(kernel.on_emulator(), Chosen{2});
}

TEST(BranchesRunWhole, AShapeAsideStandsForNoBranch) {
  LongRows kernel;
  kernel.add(2, 60001, "aside");
  kernel.shapes.back().is_aside = true;
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
  EXPECT_EQ(kernel.on_emulator(), Chosen{});
  EXPECT_TRUE(kernel.on(core::DeviceKind::cuda).left_out.empty()) << "as if it were not there";
  kernel.add(2, 60001, "beside a number");
  EXPECT_EQ(kernel.on_gpu(), Chosen{2});
  EXPECT_EQ(kernel.on_emulator(), Chosen{2});
}

TEST(BranchesRunWhole, TheTasksAttributesComeBeforeLessWork) {
  LongRows kernel;
  kernel.add(2, 58050, "beside a number", 0.04);
  kernel.add(2, 60001, "beside a number");
  EXPECT_EQ(kernel.on_gpu(), Chosen{2});
  EXPECT_EQ(kernel.on_emulator(), Chosen{2});
}

TEST(BranchesRunWhole, ShorterSumsComeBeforeLessWorkOnAGpu) {
  LongRows kernel;
  kernel.add(2, 149000, "random");
  kernel.add(17, 58049, "beside a number");
  kernel.add(16, 60001, "beside a number");
  EXPECT_EQ(kernel.on_gpu(), Chosen{3});
}

TEST(BranchesRunWhole, AListedShapeMeetsEveryDistributionOnAGpu) {
  LongRows kernel;
  kernel.add(2, 60001, "beside a number");
  kernel.add(3, 60000);
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
  EXPECT_EQ(kernel.on_emulator(), Chosen{1});  // both are long there: the least
}

TEST(BranchesRunWhole, IdleThreadsKeepNoShapeOut) {
  LongRows kernel;
  kernel.add(2, 60001, "beside a number");
  kernel.work.back() = 1 << 21;
  EXPECT_EQ(kernel.on_emulator(), Chosen{1});
}

TEST(BranchesRunWhole, WhatIsTooLargeIsSaid) {
  LongRows kernel;
  kernel.add(80, 60001, "beside a number");
  const auto on_gpu = kernel.on(core::DeviceKind::cuda);
  EXPECT_EQ(on_gpu.shapes, Chosen{});
  std::set<std::string> left_out;
  for (const Branch& branch : on_gpu.left_out) left_out.insert(branch_text(branch));
  EXPECT_EQ(left_out, (std::set<std::string>{"`cols * 4 + 256 <= max_dynamic_shared` does not hold",
                                             "`fits` does not hold"}));
}

TEST(BranchesRunWhole, TheBudgetIsOfAllTogether) {
  LongRows kernel;
  kernel.add(2, 80001, "beside a number");  // within 2^19 elements, but not 18 times within 2^23
  const auto on_emulator = kernel.on(core::DeviceKind::emulator);
  EXPECT_EQ(on_emulator.shapes, Chosen{});
  EXPECT_EQ(on_emulator.left_out.size(), 2U);
  EXPECT_EQ(kernel.on_gpu(), Chosen{1});
}

TEST(BranchesRunWhole, OneRowIsNotEnoughWhereThereAreMore) {
  LongRows kernel;
  kernel.add(1, 60001, "beside a number");
  EXPECT_EQ(kernel.on_gpu(), Chosen{1});
  kernel.add(2, 70001, "beside a number");
  EXPECT_EQ(kernel.on_gpu(), Chosen{2});
}

TEST(BranchesRunWhole, AListedShapeThatHidesMuchIsNotEnough) {
  LongRows kernel;
  kernel.add(3, 60000, "", 0.25);
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
  kernel.add(80, 70001, "beside a number");  // too large
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
  EXPECT_TRUE(kernel.on(core::DeviceKind::cuda).left_out.empty());
  kernel.add(2, 70001, "beside a number");
  EXPECT_EQ(kernel.on_gpu(), Chosen{3});
}

TEST(BranchesRunWhole, NothingIsChosenWhereOneBranchAloneIsTaken) {
  LongRows kernel;
  kernel.add(2, 300, "small");
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
}

}  // namespace
}  // namespace kgen::judge
