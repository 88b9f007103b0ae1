// Kernels with a bug each: the emulator names its kind, its line and its place.
#include "emulator_bugs.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

TEST_F(EmulatorBugs, WritesOnePastTheEnd) {
  const auto found = find("y[threadIdx.x + 1] = x[threadIdx.x];  // HERE");
  expect(found, Kind::out_of_bounds, "writes 4 bytes right past the end of `y` (256 bytes)");
  EXPECT_EQ(found.thread[0], 63u);
}

TEST_F(EmulatorBugs, ReadsBeforeTheStart) {
  expect(find("y[threadIdx.x] = x[(int)threadIdx.x - 4];  // HERE"), Kind::out_of_bounds,
         "reads 4 bytes 16 bytes before the start of `x`");
}

TEST_F(EmulatorBugs, ReadsFarPastTheEnd) {
  expect(find("y[threadIdx.x] = x[threadIdx.x + 1000];  // HERE"), Kind::out_of_bounds,
         "3744 bytes past the end of `x`");
}

TEST_F(EmulatorBugs, FollowsANullPointer) {
  expect(
      find(
          "float* p = reinterpret_cast<float*>(static_cast<size_t>(n - 64));\ny[threadIdx.x] = *p;  // HERE"),
      Kind::fault, "null pointer");
}

TEST_F(EmulatorBugs, MisalignedVector) {
  expect(find("float4 v = *reinterpret_cast<float4*>(x + 1);  // HERE\ny[threadIdx.x] = v.x + v.w;"),
         Kind::fault, "not a multiple of 16");
}

TEST_F(EmulatorBugs, ReadsWhatNothingWrote) {
  expect(find("x[threadIdx.x] = y[threadIdx.x];  // HERE"), Kind::uninitialised_read,
         "`y` at byte 0 that nothing has written");
}

TEST_F(EmulatorBugs, ReadsUninitialisedShared) {
  expect(find("__shared__ float tile[64];\nif (threadIdx.x < 60) tile[threadIdx.x] = "
              "x[threadIdx.x];\n__syncthreads();\n"
              "y[threadIdx.x] = tile[63 - threadIdx.x];  // HERE"),
         Kind::uninitialised_read, "tile");
}

TEST_F(EmulatorBugs, SharedMemoryOverflow) {
  expect(find("__shared__ float tile[32];\ntile[threadIdx.x] = x[threadIdx.x];  // "
              "HERE\n__syncthreads();\ny[threadIdx.x] = tile[threadIdx.x & 31];"),
         Kind::out_of_bounds, "tile");
}

TEST_F(EmulatorBugs, MissingSyncthreads) {
  const auto found = find(
      "__shared__ float tile[64];\ntile[threadIdx.x] = x[threadIdx.x];\n"
      "y[threadIdx.x] = tile[63 - threadIdx.x];  // HERE");
  EXPECT_TRUE(found.kind == Kind::race || found.kind == Kind::uninitialised_read) << found.message;
  EXPECT_EQ(found.line, here_);
}

TEST_F(EmulatorBugs, MissingSyncthreadsBetweenReadAndNextWrite) {
  const auto found = find(
      "__shared__ float tile[64];\nfloat sum = 0;\nfor (int i = 0; i < n / 16; ++i) {\n"
      "tile[threadIdx.x] = x[threadIdx.x] + i;  // HERE\n__syncthreads();\n"
      "sum += tile[63 - threadIdx.x];\n}\ny[threadIdx.x] = sum;");
  EXPECT_EQ(found.kind, Kind::race) << found.message;
  EXPECT_NE(found.message.find("`kernel::tile`"), std::string::npos) << found.message;
  EXPECT_EQ(std::minmax(found.line, found.other_line), std::minmax(here_, here_ + 2)) << found.message;
}

TEST_F(EmulatorBugs, MissingSyncwarp) {
  expect(find("__shared__ volatile float tile[32];\ntile[threadIdx.x] = x[threadIdx.x];\n"
              "y[threadIdx.x] = tile[31 - threadIdx.x];  // HERE",
              32),
         Kind::race, "not even __syncwarp");
}

TEST_F(EmulatorBugs, RacyGlobalSum) {
  expect(find("if (threadIdx.x == 0) x[0] += 1.0f;  // HERE", 64, 4), Kind::race, "`x` at byte 0");
}

TEST_F(EmulatorBugs, DivergentBarrier) {
  const auto found = find(
      "if (threadIdx.x % 2 == 0) {\n__syncthreads();\ny[threadIdx.x] = 1;\n} else "
      "{\n__nanosleep(20);\n__syncthreads();\ny[threadIdx.x] = 2;\n}");
  expect(found, Kind::bad_sync, "lanes of one warp wait at different barriers");
}

TEST_F(EmulatorBugs, BarrierThatSomeNeverReach) {
  const auto found = find(
      "if (threadIdx.x < 32) asm volatile(\"bar.sync 1, 64;\");  // HERE\nasm volatile(\"bar.sync 2, "
      "64;\");\ny[threadIdx.x] = 1;");
  expect(found, Kind::bad_sync, "deadlock");
}

TEST_F(EmulatorBugs, LanesThatNameDifferentBarriers) {
  expect(find("asm volatile(\"bar.sync %0, 32;\" :: \"r\"(1 + int(threadIdx.x) / 48));  // "
              "HERE\ny[threadIdx.x] = 1;"),
         Kind::not_emulated, "lanes of one warp name different barriers");
}

TEST_F(EmulatorBugs, LoopWithoutEnd) {
  settings.most_instructions = 2'000'000;
  expect(find("volatile int k = 0;\nwhile (k < n) {\nk = k - (k > 0);  // HERE\n}\ny[threadIdx.x] = k;"),
         Kind::timeout, "a loop that does not end");
}

TEST_F(EmulatorBugs, BlocksWithoutEndThatEachEndAtOnce) {
  settings.most_instructions = 200'000;
  expect(find("if (n < 0) y[threadIdx.x] = 1;", 32, 1 << 20), Kind::timeout, "far too many");
}

TEST_F(EmulatorBugs, BlocksThatWaitForOneAnother) {
  const std::string source = R"(
__device__ int arrived;
extern "C" __global__ void kernel(float* x, float* y, int n) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (*(volatile int*)&arrived < gridDim.x) {
    }
  }
  __syncthreads();
  y[threadIdx.x] = 1;
})";
  const auto found = find_in(source, 64, 3);
  EXPECT_EQ(found.kind, Kind::bad_sync) << found.message;
  EXPECT_NE(found.message.find("not cooperative"), std::string::npos) << found.message;
}

TEST_F(EmulatorBugs, WgmmaIsNotEmulated) {
  const auto found = find("asm volatile(\"wgmma.fence.sync.aligned;\");  // HERE\ny[threadIdx.x] = 1;");
  expect(found, Kind::not_emulated, "wgmma.fence.sync.aligned");
}

TEST_F(EmulatorBugs, AssertionsAndTraps) {
  expect(find("assert(x[threadIdx.x] > 2.0f);  // HERE"), Kind::fault, "x[threadIdx.x] > 2.0f");
  expect(find("if (x[threadIdx.x] > 0) __trap();  // HERE"), Kind::fault, "trap");
}

TEST_F(EmulatorBugs, WrongMemberMask) {
  expect(find("if (threadIdx.x < 16) y[threadIdx.x] = __shfl_sync(0xffff0000u, x[threadIdx.x], 0);", 32),
         Kind::bad_sync, "member mask");
}

TEST_F(EmulatorBugs, ShuffleThatSomeLanesNeverReach) {
  expect(find("if (threadIdx.x < 16) {\ny[threadIdx.x] = __shfl_sync(0xffffffffu, x[threadIdx.x], 0);\n} "
              "else {\n__syncthreads();\n}",
              32),
         Kind::bad_sync, "deadlock");
}

TEST_F(EmulatorBugs, TooManyThreadsForTheLaunchBounds) {
  const auto found = find_in(
      "extern \"C\" __global__ void __launch_bounds__(32) kernel(float* x, float* y, int n) { y[threadIdx.x] "
      "= x[0]; }");
  expect(found, Kind::bad_launch, "launch bounds");
}

TEST_F(EmulatorBugs, RecursionWithoutEnd) {
  const auto found = find_in(
      "__device__ __noinline__ float deep(float v, int n) { return n == 0 ? v : deep(v + 1, n + 1) * 2.0f; "
      "}\n"
      "extern \"C\" __global__ void kernel(float* x, float* y, int n) { y[threadIdx.x] = "
      "deep(x[threadIdx.x], n); }");
  expect(found, Kind::fault, "recursion without end");
}

TEST_F(EmulatorBugs, CallsThroughAPointerToNoFunction) {
  const auto found = find_in(R"(
using Function = float (*)(float);
__device__ float twice(float v) { return v * 2; }
__device__ Function table[2] = {twice, nullptr};
extern "C" __global__ void kernel(float* x, float* y, int n) {
  y[threadIdx.x] = table[threadIdx.x == 40](x[threadIdx.x]);  // HERE
})");
  expect(found, Kind::fault, "through a pointer to no function");
  EXPECT_EQ(found.thread[0], 40u);
}

TEST_F(EmulatorBugs, GridSyncOfALaunchThatIsNotCooperative) {
  const auto found = find_in(R"(
#include <cooperative_groups.h>
extern "C" __global__ void kernel(float* x, float* y, int n) {
  cooperative_groups::this_grid().sync();
  y[threadIdx.x] = 1;
})",
                             32, 2);
  EXPECT_EQ(found.kind, Kind::fault) << found.message;
}

}  // namespace
}  // namespace kgen::emulator
