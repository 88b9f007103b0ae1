// One kernel a feature: control flow, calls, atomics, warp-wide instructions, asynchronous copies, matrices.
#include <sched.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "emulated_kernels.hpp"

namespace kgen::emulator {
namespace {

class EmulatorFeatures : public EmulatedKernels {
 protected:
  /// Runs `source` on one block; y[i] of 32-bit integers.
  std::vector<int> run(const std::string& source, std::size_t count = 64, U32 block = 64, U32 grid = 1) {
    load(source);
    if (!module_) return {};
    std::vector<int> x(count);
    std::iota(x.begin(), x.end(), 0);
    const U64 y = allocate<int>("y", count);
    const auto stopped = launch(grid, block, upload("x", x), y, static_cast<int>(count));
    EXPECT_FALSE(stopped) << stopped->message;
    return download<int>(y);
  }
  template <class F>
  static void expect_each(const std::vector<int>& got, F want) {
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], want(static_cast<int>(i))) << i;
  }
};

TEST_F(EmulatorFeatures, LanesThatLoopDifferentlyMeetAgain) {
  const auto got = run(R"(extern "C" __global__ void kernel(const int* x, int* y, int n) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < i % 7; ++k) {
    if (k % 2 == 0) continue;
    if (sum > 5) break;
    sum += k;
  }
  y[i] = sum + __popc(__activemask());
})");
  expect_each(got, [](int i) {
    int sum = 0;
    for (int k = 0; k < i % 7; ++k) {
      if (k % 2 == 0) continue;
      if (sum > 5) break;
      sum += k;
    }
    return sum + 32;
  });
}

TEST_F(EmulatorFeatures, SwitchesAndEarlyReturns) {
  const auto got = run(R"(extern "C" __global__ void kernel(const int* x, int* y, int n) {
  const int i = threadIdx.x;
  if (i % 5 == 4) { y[i] = -1; return; }
  int v = 0;
  switch (i % 8) { case 0: v = 11; break; case 1: v = 7; break; case 2: v = x[i] * 3; break; case 3: v = 5; break;
                   case 4: v = x[i] - 9; break; case 5: v = 2; break; case 6: v = x[i] * x[i]; break; default: v = 1; }
  y[i] = v;
})");
  expect_each(got, [](int i) {
    if (i % 5 == 4) return -1;
    const int values[] = {11, 7, i * 3, 5, i - 9, 2, i * i, 1};
    return values[i % 8];
  });
}

TEST_F(EmulatorFeatures, ABarrierWaitsForNoThreadThatEnded) {
  const auto got = run(R"(extern "C" __global__ void kernel(const int* x, int* y, int n) {
  y[threadIdx.x] = 1;
  if (threadIdx.x >= 5) return;
  __syncthreads();
  y[threadIdx.x] = 2;
})");
  expect_each(got, [](int i) { return i < 5 ? 2 : 1; });
}

TEST_F(EmulatorFeatures, LanesThatMetWaitForNoneThatIsAtABarrier) {
  const auto got = run(R"(extern "C" __global__ void kernel(const int* x, int* y, int n) {
  if (threadIdx.x % 2 == 0) asm volatile("barrier.sync 1, 64;");
  y[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x % 2 == 1) asm volatile("barrier.sync 1, 64;");
})");
  expect_each(got, [](int i) { return i; });
}

TEST_F(EmulatorFeatures, CallsAndRecursion) {
  const auto got = run(R"(
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
struct Pair { int a; long long b; };
__device__ __noinline__ Pair swap(Pair p) { return {static_cast<int>(p.b), p.a}; }
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  const Pair p = swap({x[threadIdx.x], 5});
  y[threadIdx.x] = fibonacci(x[threadIdx.x] % 9) * 100 + p.a + static_cast<int>(p.b);
})");
  const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  expect_each(got, [&](int i) { return fibonacci[i % 9] * 100 + 5 + i; });
}

TEST_F(EmulatorFeatures, LocalArrays) {
  const auto got = run(R"(extern "C" __global__ void kernel(const int* x, int* y, int n) {
  int stack[16];
  for (int k = 0; k < 16; ++k) stack[(k * 5 + x[threadIdx.x]) % 16] = k;
  y[threadIdx.x] = stack[x[threadIdx.x] % 16];
})");
  expect_each(got, [](int i) {
    int stack[16];
    for (int k = 0; k < 16; ++k) stack[(k * 5 + i) % 16] = k;
    return stack[i % 16];
  });
}

TEST_F(EmulatorFeatures, AtomicsOfBlocks) {
  const auto got = run(R"(
__device__ int counts[4];
__device__ unsigned done;
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  atomicAdd(&counts[x[threadIdx.x] % 4], x[threadIdx.x]);
  atomicMax(&counts[3], 100000 + blockIdx.x);
  __threadfence();
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last) y[threadIdx.x] = counts[threadIdx.x % 4];
})",
                       64, 64, 8);
  int sums[4] = {};
  for (int i = 0; i < 64; ++i) sums[i % 4] += i * 8;
  for (const int i : {0, 1, 2}) EXPECT_EQ(got[static_cast<std::size_t>(i)], sums[i]);
  EXPECT_GE(got[3], 100007);
}

TEST_F(EmulatorFeatures, AtomicsOfFloatsAndHalves) {
  const auto got = run(R"(
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ float f;
  __shared__ double d;
  __shared__ __half2 h;
  if (threadIdx.x == 0) { f = 0; d = 0; h = __float2half2_rn(0.0f); }
  __syncthreads();
  atomicAdd(&f, 0.5f);
  atomicAdd(&d, 0.25);
  atomicAdd(&h, __floats2half2_rn(1.0f, 2.0f));
  __syncthreads();
  y[threadIdx.x] = static_cast<int>(f * 1000 + d) + static_cast<int>(__low2float(h)) * 100000 + static_cast<int>(__high2float(h)) * 10000000;
})");
  expect_each(got, [](int) { return 32000 + 16 + 64 * 100000 + 128 * 10000000; });
}

TEST_F(EmulatorFeatures, WarpWideInstructions) {
  const auto got = run(R"(extern "C" __global__ void kernel(const int* x, int* y, int n) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x % 32, v = x[threadIdx.x];
  int out = __shfl_up_sync(all, v, 3) + __shfl_down_sync(all, v, 2) * 3 + __shfl_xor_sync(all, v, 9) * 5 + __shfl_sync(all, v, 7, 8) * 7;
  out += __popc(__ballot_sync(all, lane % 3 == 0)) + __all_sync(all, v >= 0) * 11 + __any_sync(all, lane == 40) * 13;
  out += __popc(__match_any_sync(all, lane % 5)) * 17 + __reduce_add_sync(all, lane) + __reduce_max_sync(all, lane);
  if (lane < 10) out += __shfl_sync(0x3ffu, v, 9);
  __syncwarp();
  y[threadIdx.x] = out;
})");
  expect_each(got, [](int i) {
    const int lane = i % 32, first = i - lane;
    int out = (lane < 3 ? i : i - 3) + (lane > 29 ? i : i + 2) * 3 + (first + (lane ^ 9)) * 5 +
              (first + (lane & ~7) + 7) * 7;
    out += 11 + 11 + (lane % 5 < 2 ? 7 : 6) * 17 + 496 + 31;
    return out + (lane < 10 ? first + 9 : 0);
  });
}

TEST_F(EmulatorFeatures, ShufflesOfPairsOfHalves) {  // CUDA's own headers ask for WARP_SZ
  const auto got = run(R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  const float v = static_cast<float>(x[threadIdx.x % 32]);
  const __half2 h = __shfl_xor_sync(0xffffffffu, __floats2half2_rn(v, v + 100), 5);
  const __nv_bfloat162 b = __shfl_down_sync(0xffffffffu, __floats2bfloat162_rn(v, v + 64), 3, 8);
  y[threadIdx.x] = threadIdx.x < 32 ? static_cast<int>(__low2float(h) + 1000 * __high2float(h))
                                    : static_cast<int>(__low2float(b) + 1000 * __high2float(b));
})");
  expect_each(got, [](int i) {
    const int lane = i % 32, from = i < 32 ? lane ^ 5 : lane % 8 + 3 < 8 ? lane + 3 : lane;
    return from + 1000 * (from + (i < 32 ? 100 : 64));
  });
}

TEST_F(EmulatorFeatures, AsynchronousCopies) {
  const auto got = run(R"(#include <cuda_pipeline.h>
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ int4 tile[2][16];
  if (threadIdx.x < 16) __pipeline_memcpy_async(&tile[0][threadIdx.x], reinterpret_cast<const int4*>(x) + threadIdx.x, 16);
  __pipeline_commit();
  if (threadIdx.x < 16) __pipeline_memcpy_async(&tile[1][threadIdx.x], reinterpret_cast<const int4*>(x) + threadIdx.x, 16, 12);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int* a = reinterpret_cast<const int*>(tile[0]);
  const int* b = reinterpret_cast<const int*>(tile[1]);
  y[threadIdx.x] = a[63 - threadIdx.x] + 1000 * b[threadIdx.x];
})");
  expect_each(got, [](int i) { return 63 - i + 1000 * (i % 4 == 0 ? i : 0); });
}

TEST_F(EmulatorFeatures, AsynchronousCopyThatIsNotAwaited) {
  load(R"(#include <cuda_pipeline.h>
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ int4 tile[16];
  if (threadIdx.x < 16) __pipeline_memcpy_async(&tile[threadIdx.x], reinterpret_cast<const int4*>(x) + threadIdx.x, 16);
  __pipeline_commit();
  __syncthreads();
  y[threadIdx.x] = reinterpret_cast<const int*>(tile)[threadIdx.x];
})");
  const auto stopped = launch(1, 64, upload("x", std::vector<int>(64)), allocate<int>("y", 64), 64);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->kind, Diagnosis::Kind::uninitialised_read) << stopped->message;
}

TEST_F(EmulatorFeatures, MbarriersOrderProducersAndConsumers) {
  const auto got = run(R"(
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ unsigned long long barrier;
  __shared__ int tile[32];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at));
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = x[threadIdx.x] * 2;
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory");
    y[threadIdx.x] = -1;
  } else {
    asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n @p bra DONE;\n bra WAIT;\n DONE: }" ::"r"(at) : "memory");
    y[threadIdx.x] = tile[63 - threadIdx.x];
  }
})");
  expect_each(got, [](int i) { return i < 32 ? -1 : (63 - i) * 2; });
}

constexpr const char* kWarpOfTwoHalves = R"(
__device__ void arrive(unsigned at) { asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory"); }
__device__ void wait(unsigned at, unsigned parity) {
  asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n @p bra DONE;\n bra WAIT;\n DONE: }" ::"r"(at), "r"(parity) : "memory");
}
)";

TEST_F(EmulatorFeatures, MbarriersOrderLanesOfAWarp) {
  const auto got = run(kWarpOfTwoHalves + std::string(R"(
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ unsigned long long barriers[2];
  __shared__ int ring[16];
  const unsigned full = static_cast<unsigned>(__cvta_generic_to_shared(barriers)), empty = full + 8;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) asm volatile("mbarrier.init.shared.b64 [%0], 16;" ::"r"(full + 8 * threadIdx.x));
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int i = 0; i < 4; ++i) {
    if (lane < 16) {
      if (i > 0) wait(empty, (i - 1) & 1);
      ring[lane] = x[16 * i + lane];
      arrive(full);
    } else {
      wait(full, i & 1);
      y[16 * i + lane - 16] = 3 * ring[31 - lane];
      arrive(empty);
    }
  }
})"));
  expect_each(got, [](int i) { return 3 * (i / 16 * 16 + 15 - i % 16); });
}

TEST_F(EmulatorFeatures, LanesThatArriveAndEndAreWaitedForByOthersOfTheirWarp) {
  const auto got = run(kWarpOfTwoHalves + std::string(R"(
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ unsigned long long barrier;
  __shared__ int part[64];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at));
  __syncthreads();
  part[threadIdx.x] = x[threadIdx.x];
  arrive(at);
  if (threadIdx.x >= 16) return;
  wait(at, 0);
  __syncwarp(0xffff);
  for (int i = 0; i < 4; ++i) y[4 * threadIdx.x + i] = part[63 - 4 * threadIdx.x - i];
})"));
  expect_each(got, [](int i) { return 63 - i; });
}

TEST_F(EmulatorFeatures, GroupsOfTwoWarpsMeetInReservedSharedMemory) {
  const auto got = run(R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int part[64];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  part[threadIdx.x] = x[threadIdx.x] + 1;
  tile.sync();
  y[threadIdx.x] = part[63 - threadIdx.x];
})");
  expect_each(got, [](int i) { return 64 - i; });
}

TEST_F(EmulatorFeatures, UnknownSpecialRegisterIsNamed) {
  load(R"(
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  int value;
  asm volatile("mov.u32 %0, %%pm0;" : "=r"(value));
  y[threadIdx.x] = value;
})");
  const auto stopped = launch(1, 32, upload("x", std::vector<int>(64)), allocate<int>("y", 64), 64);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->kind, Diagnosis::Kind::not_emulated) << stopped->message;
  EXPECT_NE(stopped->message.find("`mov.u32 %pm0`"), std::string::npos) << stopped->message;
}

TEST_F(EmulatorFeatures, MatrixProducts) {
  load(R"(#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void kernel(const __half* a, const __half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
})");
  const auto half = [](int value) {  // small integers: exact
    U16 bits = 0;
    if (value == 0) return bits;
    const int exponent = 31 - std::countl_zero(static_cast<U32>(value));
    bits = static_cast<U16>((exponent + 15) << 10 | ((value << (10 - exponent)) & 0x3ff));
    return bits;
  };
  std::vector<U16> a(256), b(256);
  for (int i = 0; i < 256; ++i) {
    a[static_cast<std::size_t>(i)] = half(i * 7 % 13);
    b[static_cast<std::size_t>(i)] = half(i * 5 % 11);
  }
  const U64 c = allocate<float>("c", 256);
  const auto stopped = launch(1, 32, upload("a", a), upload("b", b), c);
  ASSERT_FALSE(stopped) << stopped->message;
  const auto got = download<float>(c);
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) {
      int sum = 0;
      for (int k = 0; k < 16; ++k) sum += (m * 16 + k) * 7 % 13 * ((n * 16 + k) * 5 % 11);
      ASSERT_EQ(got[static_cast<std::size_t>(m * 16 + n)], static_cast<float>(sum)) << m << " " << n;
    }
  }
}

TEST_F(EmulatorFeatures, LdmatrixAndMma) {
  const auto got = run(R"(
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ __align__(16) __half tile[16 * 16];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = __float2half(i / 16 == i % 16 ? 1.0f : 0.0f);
  __syncwarp();
  unsigned a[4];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(at));
  const __half2 ones = __float2half2_rn(static_cast<float>(threadIdx.x / 4 + 1));
  const unsigned b = *reinterpret_cast<const unsigned*>(&ones);
  float c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b), "r"(b));
  for (int i = 0; i < 2; ++i) y[threadIdx.x * 2 + i] = static_cast<int>(c[i] + 10 * c[2 + i]);
})",
                       64, 32);
  // The identity times a matrix whose column n is n + 1.
  expect_each(got, [](int i) { return (i / 2 % 4 * 2 + i % 2 + 1) * 11; });
}

/// Nine rows of a tile of ones, the others as no one left them: sums of those nine are whole, the others NaN.
TEST_F(EmulatorFeatures, LdmatrixOfRowsThatNothingWroteGivesNanToTheirSumsAlone) {
  struct Form {
    const char* name;
    const char* ones;
    int k;
  };
  for (const Form form : {Form{"m16n8k16.row.col.f32.f16.f16.f32", "0x3c003c00", 16},
                          Form{"m16n8k16.row.col.f32.bf16.bf16.f32", "0x3f803f80", 16},
                          Form{"m16n8k8.row.col.f32.tf32.tf32.f32", "0x3f800000", 8},
                          Form{"m16n8k32.row.col.f32.e4m3.e4m3.f32", "0x38383838", 32},
                          Form{"m16n8k32.row.col.f32.e5m2.e5m2.f32", "0x3c3c3c3c", 32}}) {
    const auto got = run(std::string("const unsigned ones = ") + form.ones + R"(;
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ __align__(16) unsigned tile[16 * 8];
  for (int i = threadIdx.x; i < 9 * 8; i += 32) tile[i] = ones;
  __syncwarp();
  unsigned a[4];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x % 16 * 8 + threadIdx.x / 16 * 4));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(at));
  float c[4] = {};
  asm volatile("mma.sync.aligned.)" +
                             form.name +
                             R"( {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(ones), "r"(ones));
  for (int i = 0; i < 2; ++i) y[threadIdx.x + 32 * i] = isnan(c[2 * i]) ? -1 : static_cast<int>(c[2 * i]);
})",
                         64, 32);
    expect_each(got, [&](int i) { return i % 32 / 4 + i / 32 * 8 < 9 ? form.k : -1; });
  }
}

/// Blocks that each wait for the one before: they share a core, so that a thread of the host is stopped
/// anywhere, also in the midst of the load that finds the flag.
TEST_F(EmulatorFeatures, AFlagThatIsFoundOrdersWhatCameBeforeItWhereverItsReaderWasStopped) {
  cpu_set_t all, one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  settings.threads = 2;
  const auto got = run(R"(
__device__ int tickets;
__device__ int sums[201];
__device__ int flags[201];
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  __shared__ int ticket;
  if (threadIdx.x == 0) {
    ticket = atomicAdd(&tickets, 1);
    while (ticket == 0 && *(volatile int*)&tickets < 2) {  // from here on one always waits
    }
    int seen = ticket == 0;
    while (!seen) asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(flags + ticket) : "memory");
    sums[ticket + 1] = sums[ticket] + 1;
    __threadfence();
    asm volatile("st.relaxed.gpu.s32 [%0], 1;" ::"l"(flags + ticket + 1) : "memory");
    y[ticket] = sums[ticket + 1];
  }
})",
                       200, 32, 200);
  sched_setaffinity(0, sizeof all, &all);
  expect_each(got, [](int i) { return i + 1; });
}

TEST_F(EmulatorFeatures, CooperativeBlocksWaitForEachOther) {
  settings.cooperative = true;
  const auto got = run(R"(
__device__ int arrived;
__device__ int parts[8];
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile int*)&arrived < gridDim.x) __nanosleep(50);
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x == 0) y[threadIdx.x] = parts[threadIdx.x % 8];
})",
                       64, 64, 8);
  expect_each(got, [](int i) { return i % 8 + 1; });
}

/// An accumulator that nobody set to zero is no zero.
TEST_F(EmulatorFeatures, RegistersThatNothingWroteAreNoNumbers) {
  const auto got = run(R"(extern "C" __global__ void kernel(const int* x, int* y, int n) {
  float sum;
  asm volatile("{.reg .f32 never; add.f32 %0, never, 0f3F800000;}" : "=f"(sum));
  y[threadIdx.x] = isnan(sum) ? 1 : 0;
})");
  expect_each(got, [](int) { return 1; });
}

TEST_F(EmulatorFeatures, PrintfWritesItsText) {
  run(R"(#include <stdio.h>
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  if (threadIdx.x == 3) printf("%s %d %5.2f %llu%%\n", "three", x[3], 1.5, 12345678901ull);
  y[threadIdx.x] = 0;
})");
  EXPECT_EQ(output, "three 3  1.50 12345678901%\n");
}

TEST_F(EmulatorFeatures, PrintfGivesTheNumberOfItsValues) {
  const auto got = run(R"(#include <stdio.h>
extern "C" __global__ void kernel(const int* x, int* y, int n) {
  y[threadIdx.x] = threadIdx.x % 2 == 0 ? printf("%d%% of %s\n", x[0], "all") : printf("nothing\n");
})");
  expect_each(got, [](int i) { return i % 2 == 0 ? 2 : 0; });
}

TEST_F(EmulatorFeatures, DoublesAndTrigonometry) {
  load(R"(extern "C" __global__ void kernel(const double* x, double* y, int n) {
  const int i = threadIdx.x;
  y[i] = sin(x[i]) + exp(-x[i]) * sqrt(x[i]) + fmod(x[i], 3.0) + log(x[i] + 1.0) + sinf(static_cast<float>(x[i]));
})");
  std::vector<double> x(64);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i) * 37.25 + 0.5;
  const U64 y = allocate<double>("y", 64);
  const auto stopped = launch(1, 64, upload("x", x), y, 64);
  ASSERT_FALSE(stopped) << stopped->message;
  const auto got = download<double>(y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double want = std::sin(x[i]) + std::exp(-x[i]) * std::sqrt(x[i]) + std::fmod(x[i], 3.0) +
                        std::log(x[i] + 1.0) + static_cast<double>(std::sin(static_cast<float>(x[i])));
    ASSERT_NEAR(got[i], want, 1e-6) << i;
  }
}

}  // namespace
}  // namespace kgen::emulator
