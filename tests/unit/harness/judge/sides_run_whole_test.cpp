#include "harness/judge/sides_run_whole.hpp"

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

  std::set<std::size_t> on_gpu() const { return sides_run_whole(plan, shapes, work, core::DeviceKind::cuda); }
  std::set<std::size_t> on_emulator() const {
    return sides_run_whole(plan, shapes, work, core::DeviceKind::emulator);
  }
};

using Chosen = std::set<std::size_t>;

TEST(SidesRunWhole, ASideOfTheJudgesOwnShapesAloneIsRunAtTheLeast) {
  LongRows kernel;
  kernel.add(3, 60001, "beside a number");
  kernel.add(2, 60001, "beside a number");
  kernel.add(2, 300, "small");
  EXPECT_EQ(kernel.on_gpu(), Chosen{2});
  EXPECT_EQ(kernel.on_emulator(), Chosen{2});
}

TEST(SidesRunWhole, TheTasksAttributesComeBeforeLessWork) {
  LongRows kernel;
  kernel.add(2, 58050, "beside a number", 0.04);
  kernel.add(3, 60001, "beside a number");
  EXPECT_EQ(kernel.on_gpu(), Chosen{2});
  EXPECT_EQ(kernel.on_emulator(), Chosen{2});
}

TEST(SidesRunWhole, AListedShapeMeetsEveryDistributionOnAGpu) {
  LongRows kernel;
  kernel.add(2, 60001, "beside a number");
  kernel.add(3, 60000);
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
  EXPECT_EQ(kernel.on_emulator(), Chosen{1});  // both are long there: the least
}

TEST(SidesRunWhole, WhatIsTooLargeIsLeftOut) {
  LongRows kernel;
  kernel.add(9, 60001, "beside a number");  // more than 2^19 elements
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
}

TEST(SidesRunWhole, NothingIsChosenWhereOneSideAloneIsTaken) {
  LongRows kernel;
  kernel.add(2, 300, "small");
  EXPECT_EQ(kernel.on_gpu(), Chosen{});
}

}  // namespace
}  // namespace kgen::judge
