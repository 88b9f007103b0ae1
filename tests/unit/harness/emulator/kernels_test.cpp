#include <cmath>
#include <numeric>

#include "emulated_kernels.hpp"

namespace kgen::emulator {
namespace {

class EmulatorKernels : public EmulatedKernels {};

std::vector<float> ramp(std::size_t count) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i % 97) * 0.25f - 7.0f;
  return out;
}

TEST_F(EmulatorKernels, AddAndReluOfEveryElement) {
  load(R"(extern "C" __global__ void kernel(const float* a, const float* b, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(a[i] + b[i], 0.0f);
  })");
  const auto a = ramp(1000), b = ramp(1000);
  const U64 y = allocate<float>("y", 1000);
  const auto stopped = launch(8, 128, upload("a", a), upload("b", b), y, 1000);
  ASSERT_FALSE(stopped) << stopped->message;
  const auto got = download<float>(y);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(got[i], std::max(a[i] + b[i], 0.0f)) << i;
}

TEST_F(EmulatorKernels, WhatAnotherProgramDidBeforeIsNoRace) {
  const U64 x = allocate<float>("x", 256);
  load(R"(extern "C" __global__ void kernel(float* x) { x[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; })");
  const auto first = launch(4, 64, x);
  ASSERT_FALSE(first) << first->message;
  load(R"(extern "C" __global__ void kernel(float* x) {
    const int i = 255 - (blockIdx.x * 64 + threadIdx.x);
    x[i] = x[i] + 1.0f;
  })");
  const auto second = launch(4, 64, x);
  ASSERT_FALSE(second) << second->message;
  EXPECT_EQ(download<float>(x)[65], 2.0f);
}

TEST_F(EmulatorKernels, WhereTimesRunOutTheRecordsAreForgotten) {
  const U64 x = allocate<float>("x", 64);
  load(
      R"(extern "C" __global__ void kernel(float* x, int shift) { x[(blockIdx.x * 32 + threadIdx.x + shift) % 64] = shift; })");
  memory_.end_launch((1u << 31) - 1);
  ASSERT_FALSE(launch(2, 32, x, 0));
  memory_.end_launch(1u << 31);
  const auto later = launch(2, 32, x, 7);
  EXPECT_FALSE(later) << later->message;
  EXPECT_LT(memory_.begin_launch(), 1000U);
}

TEST_F(EmulatorKernels, SoftmaxWithShufflesAndSharedMemory) {
  load(R"(
__device__ float block_reduce(float value, bool maximum) {
  __shared__ float shared[32];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < blockDim.x / 32; ++warp) value = maximum ? fmaxf(value, shared[warp]) : value + shared[warp];
  return value;
}
extern "C" __global__ void kernel(const __nv_bfloat16* x, float* y, long long cols) {
  const __nv_bfloat16* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmaxf(largest, float(row[c]));
  largest = block_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(float(row[c]) - largest);
  sum = block_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = expf(float(row[c]) - largest) / sum;
})");
  const std::size_t rows = 5, cols = 1023;
  std::vector<U16> x(rows * cols);
  std::vector<double> exact(rows * cols);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float value = static_cast<float>((i * 7919) % 61) * 0.125f - 3.0f;
    x[i] = static_cast<U16>(std::bit_cast<U32>(value) >> 16);
    exact[i] = std::exp(static_cast<double>(std::bit_cast<float>(U32{x[i]} << 16)));
  }
  const U64 y = allocate<float>("y", rows * cols);
  const auto stopped = launch(rows, 128, upload("x", x), y, static_cast<long long>(cols));
  ASSERT_FALSE(stopped) << stopped->message;
  const auto got = download<float>(y);
  for (std::size_t r = 0; r < rows; ++r) {
    const double sum = std::accumulate(&exact[r * cols], &exact[r * cols] + cols, 0.0);
    for (std::size_t c = 0; c < cols; ++c)
      ASSERT_NEAR(got[r * cols + c] / (exact[r * cols + c] / sum), 1.0, 1e-5);
  }
}

}  // namespace
}  // namespace kgen::emulator
