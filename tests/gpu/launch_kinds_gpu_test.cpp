#include "compile_cubin.hpp"
#include "harness/cuda/device_query.hpp"
#include "run_fixture.hpp"

namespace kgen::test {
namespace {

class LaunchKindsGpu : public RunFixture {
 protected:
  void SetUp() override {
    if (cuda::query_device(0)->compute_capability < 90) GTEST_SKIP() << "needs compute capability 9.0";
  }
};

TEST_F(LaunchKindsGpu, DynamicSharedMemoryAbove48Kilobytes) {
  constexpr int kWords = 200 * 1024 / 4;
  const SharedTensor out("out", std::vector<int>{0});
  auto process = loaded("good", {kernel("big_shared", 128, kWords * 4)});
  ASSERT_OK(process.map(0, {{out.shared()}}));
  auto step = launch("big_shared", 1, {buffer("out"), scalar(kWords)});
  step.dynamic_shared_bytes = kWords * 4;
  ASSERT_OK(process.launch_once(0, one(step), kPlenty));
  EXPECT_EQ(out.values<int>()[0], kWords - 1);
}

TEST_F(LaunchKindsGpu, StaticAndDynamicSharedMemoryTogetherAbove48Kilobytes) {
  constexpr int kWords = 48 * 1024 / 4;
  const SharedTensor out("out", std::vector<int>{0});
  auto process = loaded("good", {kernel("static_and_dynamic_shared", 128, kWords * 4)});
  ASSERT_OK(process.map(0, {{out.shared()}}));
  auto step = launch("static_and_dynamic_shared", 1, {buffer("out"), scalar(kWords)});
  step.dynamic_shared_bytes = kWords * 4;
  ASSERT_OK(process.launch_once(0, one(step), kPlenty));
  EXPECT_EQ(out.values<int>()[0], kWords - 1 + 31);
}

TEST_F(LaunchKindsGpu, ClustersUpToSixteenBlocks) {
  for (const int size : {2, 8, 16}) {
    const SharedTensor out("out", std::vector<int>(32));
    auto load = kernel("cluster_ranks");
    load.cluster = {size, 1, 1};
    auto process = loaded("good", {load});
    ASSERT_OK(process.map(0, {{out.shared()}}));
    auto step = launch("cluster_ranks", 32, {buffer("out")});
    step.cluster = {size, 1, 1};
    ASSERT_OK(process.launch_once(0, one(step), kPlenty));
    const auto ranks = out.values<int>();
    for (int i = 0; i < 32; ++i) EXPECT_EQ(ranks[static_cast<std::size_t>(i)], size * 100 + i % size);
  }
}

TEST_F(LaunchKindsGpu, ACooperativeGridMeetsAtABarrier) {
  const SharedTensor arrived("arrived", std::vector<unsigned>{0}), out("out", std::vector<int>(132));
  auto process = loaded("good", {kernel("grid_barrier")});
  ASSERT_OK(process.map(0, {{arrived.shared(), out.shared()}}));
  auto step = launch("grid_barrier", 132, {buffer("arrived"), buffer("out")});
  step.cooperative = true;
  run::LaunchSequence sequence{{}, {run::FillBuffer{"arrived", 4, 0, 1}, step}};
  ASSERT_OK(process.launch_once(0, sequence, kPlenty));
  EXPECT_EQ(out.values<int>(), std::vector<int>(132, 132));
  // The same inside a graph.
  run::TimeBlock block;
  block.order = {0, 0, 0};
  block.graph = true;
  ASSERT_OK(process.time_block(sequence, block));
}

TEST_F(LaunchKindsGpu, ACooperativeGridTooLargeIsALaunchError) {
  const SharedTensor arrived("arrived", std::vector<unsigned>{0}), out("out", std::vector<int>(100000));
  auto process = loaded("good", {kernel("grid_barrier"), kernel("add_one")});
  ASSERT_OK(process.map(0, {{arrived.shared(), out.shared()}}));
  auto step = launch("grid_barrier", 100000, {buffer("arrived"), buffer("out")});
  step.cooperative = true;
  const auto result = process.launch_once(0, one(step), kPlenty);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, run::RunFailure::Kind::launch_error) << text_of(result.error());
  EXPECT_EQ(result.error().fine, "cooperative_too_large");
  EXPECT_TRUE(process.launch_once(0, one(launch("add_one", 1, {buffer("out")}, 1)), kPlenty));
}

TEST_F(LaunchKindsGpu, ProgrammaticDependentLaunchKeepsTheOrder) {
  const SharedTensor x("x", std::vector<int>(64)), y("y", std::vector<int>(64));
  auto process = loaded("good", {kernel("pdl_first"), kernel("pdl_second")});
  ASSERT_OK(process.map(0, {{x.shared(), y.shared()}}));
  auto second = launch("pdl_second", 64, {buffer("x"), buffer("y")}, 32);
  second.pdl = true;
  const run::LaunchSequence sequence{{}, {launch("pdl_first", 64, {buffer("x")}, 32), second}};
  ASSERT_OK(process.launch_once(0, sequence, kPlenty));
  EXPECT_EQ(y.values<int>(), std::vector<int>(64, 43));
  for (const bool graph : {false, true}) {
    run::TimeBlock block;
    block.order = {0, 0};
    block.graph = graph;
    ASSERT_OK(process.time_block(sequence, block));
  }
}

TEST_F(LaunchKindsGpu, ATensorMapBringsABox) {
  constexpr std::size_t kRows = 64, kCols = 128;
  std::vector<float> values(kRows * kCols);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const SharedTensor x("x", values), out("out", std::vector<float>(8 * 32));
  auto process = loaded("good", {kernel("copy_box")});
  ASSERT_OK(process.map(0, {{x.shared(), out.shared()}}));
  core::ResolvedTensorMap map;
  map.name = "tmX";
  map.buffer = "x";
  map.dtype = core::DType::f32;
  map.global_dim = {kCols, kRows};
  map.global_strides = {kCols * 4};
  map.box_dim = {32, 8};
  map.element_strides = {1, 1};
  map.swizzle = map.l2_promotion = map.interleave = "none";
  map.oob_fill = "zeros";
  run::LaunchSequence sequence{{map}, {launch("copy_box", 1, {tensor_map("tmX"), buffer("out")})}};
  ASSERT_OK(process.launch_once(0, sequence, kPlenty));
  const auto box = out.values<float>();
  for (std::size_t r = 0; r < 8; ++r) {
    for (std::size_t c = 0; c < 32; ++c) ASSERT_EQ(box[r * 32 + c], values[(4 + r) * kCols + 16 + c]);
  }
  map.global_strides = {kCols * 4 + 4};  // not a multiple of 16
  sequence.tensor_maps = {map};
  const auto refused = process.launch_once(0, sequence, kPlenty);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fine, "tensor_map");
}

TEST_F(LaunchKindsGpu, ACubinForAnotherDeviceIsUnsupported) {
  auto process = RunFixture::pool().acquire();
  ASSERT_TRUE(process);
  const auto nonsense = process->load(std::string(4096, 'x'), {kernel("scale")});
  ASSERT_FALSE(nonsense);
  EXPECT_EQ(nonsense.error().kind, run::RunFailure::Kind::unsupported_arch) << text_of(nonsense.error());
  const auto missing = process->load(test_cubin("good"), {kernel("no_such_kernel")});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().fine, "kernel_not_found") << text_of(missing.error());
}

}  // namespace
}  // namespace kgen::test
