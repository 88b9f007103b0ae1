#include <gtest/gtest.h>

#include "harness/run/launch_sequence.hpp"
#include "unit/core/plan_tasks.hpp"

namespace kgen::run {
namespace {

using Argument = core::ResolvedArgument;
using Parameter = core::ParameterType;

core::ResolvedLaunch launch_of(const std::string& kernel, std::int64_t threads, std::int64_t shared) {
  core::ResolvedLaunch out;
  out.kernel = kernel;
  out.block = {threads, 1, 1};
  out.dynamic_shared_bytes = shared;
  out.args = {{Argument::Kind::buffer, "a", 0, 0, "", "a"}, {Argument::Kind::integer, "", 7, 0, "", "7"}};
  return out;
}

std::map<std::string, CompiledKernel> compiled() {
  const Parameter pointer{Parameter::Kind::pointer, 8, false, "bf16", true, "const __nv_bfloat16*"};
  const Parameter integer{Parameter::Kind::integer, 4, true, "", false, "int"};
  return {{"gemm<true>", {"_Z4gemm", {pointer, integer}}}};
}

core::ResolvedPlan plan_of(std::vector<std::variant<core::ResolvedLaunch, core::ResolvedFill>> steps) {
  core::ResolvedPlan out;
  out.workspace = {{"acc", 4096}};
  out.steps = std::move(steps);
  return out;
}

TEST(BuildSequence, BindsLaunchesAndTurnsFillsIntoPatterns) {
  const auto plan = plan_of(
      {core::ResolvedFill{0, "acc", -1}, core::ResolvedFill{1, "c", 1}, launch_of("gemm<true>", 256, 0)});
  const auto sequence = build_sequence(plan, core::examples::gemm_task(8, 16, 32), compiled());
  ASSERT_TRUE(sequence) << sequence.error().text();
  ASSERT_EQ(sequence->steps.size(), 3u);
  const auto& workspace = std::get<FillBuffer>(sequence->steps[0]);
  EXPECT_EQ(workspace.element_bytes, 4);
  EXPECT_EQ(workspace.pattern, 0xffffffffu);
  EXPECT_EQ(workspace.count, 1024);
  const auto& tensor = std::get<FillBuffer>(sequence->steps[1]);
  EXPECT_EQ(tensor.element_bytes, 2);
  EXPECT_EQ(tensor.pattern, 0x3f80u);  // 1 in bf16
  EXPECT_EQ(tensor.count, 8 * 16);
  const auto& launch = std::get<LaunchKernel>(sequence->steps[2]);
  EXPECT_EQ(launch.lowered_name, "_Z4gemm");
  ASSERT_EQ(launch.args.size(), 2u);
  EXPECT_EQ(launch.args[0].name, "a");
  EXPECT_EQ(launch.args[1].bytes, std::string("\x07\0\0\0", 4));
}

TEST(BuildSequence, NamesTheStepThatIsWrong) {
  const auto task = core::examples::gemm_task(8, 16, 32);
  const auto unknown = build_sequence(plan_of({launch_of("nothing", 1, 0)}), task, compiled());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().field, "launches[0].kernel");
  const auto target = build_sequence(plan_of({core::ResolvedFill{3, "nobody", 0}}), task, compiled());
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().field, "launches[3].fill");
  const auto large =
      build_sequence(plan_of({core::ResolvedFill{2, "acc", std::int64_t{1} << 40}}), task, compiled());
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().field, "launches[2].value");
}

TEST(KernelsToLoad, ListsEachKernelOnceWithItsLargestLaunch) {
  const auto plan = plan_of({launch_of("gemm<true>", 64, 1000), core::ResolvedFill{1, "acc", 0},
                             launch_of("gemm<true>", 256, 500), launch_of("nothing", 1, 0)});
  const auto kernels = kernels_to_load(plan, compiled());
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "gemm<true>");
  EXPECT_EQ(kernels[0].lowered_name, "_Z4gemm");
  EXPECT_EQ(kernels[0].block[0], 256);
  EXPECT_EQ(kernels[0].dynamic_shared_bytes, 1000);
}

}  // namespace
}  // namespace kgen::run
