// More kernels with a bug each, in the order of threads: reductions, histograms, barriers, flags between
// blocks.
#include "emulator_bugs.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

class EmulatorOrderBugs : public EmulatorBugs {};

TEST_F(EmulatorOrderBugs, TreeReductionWithoutABarrierInItsLoop) {
  const auto found = find(
      "__shared__ float sum[64];\nsum[threadIdx.x] = x[threadIdx.x];\n__syncthreads();\n"
      "for (int half = n / 2; half > 0; half /= 2)\nif (threadIdx.x < half) sum[threadIdx.x] += "
      "sum[threadIdx.x + half];  // HERE\n"
      "__syncthreads();\ny[threadIdx.x] = sum[0];",
      128);
  EXPECT_TRUE(found.kind == Kind::race || found.kind == Kind::out_of_bounds) << found.message;
}

TEST_F(EmulatorOrderBugs, LastStepsOfAReductionWithoutSyncwarp) {
  expect(
      find("__shared__ volatile float sum[32];\nsum[threadIdx.x] = threadIdx.x;\n__syncwarp();\n"
           "for (int half = n / 4; half > 0; half /= 2)\n"
           "if (threadIdx.x < half) sum[threadIdx.x] = sum[threadIdx.x] + sum[threadIdx.x + half];  // HERE\n"
           "__syncwarp();\ny[threadIdx.x] = sum[0];",
           32),
      Kind::race, "sum");
}

TEST_F(EmulatorOrderBugs, HistogramWithoutAtomics) {
  expect(
      find("__shared__ int bins[4];\nif (threadIdx.x < 4) bins[threadIdx.x] = 0;\n__syncthreads();\n"
           "bins[threadIdx.x % 4] += 1;  // HERE\n__syncthreads();\ny[threadIdx.x] = bins[threadIdx.x % 4];"),
      Kind::race, "bins");
}

TEST_F(EmulatorOrderBugs, TwoBlocksWriteOneElement) {
  expect(find("y[threadIdx.x] = x[threadIdx.x] + blockIdx.x;  // HERE", 64, 2), Kind::race,
         "`y` at byte 128");
}

TEST_F(EmulatorOrderBugs, OneElementThatTwoBlocksShare) {
  expect(
      find("const int i = blockIdx.x * 31 + threadIdx.x;\ny[i] = x[i] * (1 + blockIdx.x);  // HERE", 32, 2),
      Kind::race, "`y` at byte 124");
}

TEST_F(EmulatorOrderBugs, ReadsWhatAnotherBlockWrites) {
  const auto found = find("x[threadIdx.x] = 2.0f * x[63 - threadIdx.x];\ny[threadIdx.x] = 0;", 64, 1);
  EXPECT_EQ(found.kind, Kind::race) << found.message;
  EXPECT_EQ(found.line, 3) << found.message;
}

TEST_F(EmulatorOrderBugs, DoubleBufferWithOneBarrierTooFew) {
  const auto found = find(
      "__shared__ float tile[2][64];\nfloat sum = 0;\nfor (int i = 0; i < n / 8; ++i) {\n"
      "tile[i & 1][threadIdx.x] = x[threadIdx.x] + i;\nif (i % 2 == 0) __syncthreads();\n"
      "sum += tile[i & 1][63 - threadIdx.x];\n}\ny[threadIdx.x] = sum;");
  EXPECT_TRUE(found.kind == Kind::race || found.kind == Kind::uninitialised_read) << found.message;
  EXPECT_TRUE(found.line == 6 || found.line == 8) << found.message;
}

TEST_F(EmulatorOrderBugs, NamedBarrierThatWaitsForTooMany) {
  expect(find("y[threadIdx.x] = x[0];\nasm volatile(\"bar.sync 1, 96;\");  // HERE"), Kind::bad_sync,
         "deadlock");
}

TEST_F(EmulatorOrderBugs, WaitsForAPhaseThatCannotCome) {
  const auto found = find(
      "__shared__ unsigned long long bar;\nconst unsigned at = "
      "static_cast<unsigned>(__cvta_generic_to_shared(&bar));\n"
      "if (threadIdx.x == 0) asm volatile(\"mbarrier.init.shared.b64 [%0], 65;\" :: "
      "\"r\"(at));\n__syncthreads();\n"
      "asm volatile(\"{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }\" :: \"r\"(at) : "
      "\"memory\");\nunsigned done = 0;\n"
      "while (!done) asm volatile(\"{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; "
      "selp.u32 %0, 1, 0, p; }\" : "
      "\"=r\"(done) : \"r\"(at) : \"memory\");  // HERE\ny[threadIdx.x] = 1;");
  EXPECT_EQ(found.kind, Kind::bad_sync) << found.message;
  EXPECT_GE(found.line, here_ - 1) << found.message;
  EXPECT_LE(found.line, here_) << found.message;
}

TEST_F(EmulatorOrderBugs, ReadsATileAfterTheWrongPhase) {
  const auto found = find(
      "__shared__ unsigned long long bar;\n__shared__ float tile[64];\n"
      "const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));\n"
      "if (threadIdx.x == 0) asm volatile(\"mbarrier.init.shared.b64 [%0], 64;\" :: "
      "\"r\"(at));\n__syncthreads();\n"
      "tile[threadIdx.x] = x[threadIdx.x];\n"
      "asm volatile(\"{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }\" :: \"r\"(at) : "
      "\"memory\");\nunsigned done = 0;\n"
      "while (!done) asm volatile(\"{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 1; "
      "selp.u32 %0, 1, 0, p; }\" : "
      "\"=r\"(done) : \"r\"(at) : \"memory\");\ny[threadIdx.x] = tile[63 - threadIdx.x];  // HERE");
  EXPECT_TRUE(found.kind == Kind::race || found.kind == Kind::uninitialised_read) << found.message;
  EXPECT_EQ(found.line, here_) << found.message;
}

/// The lower half of a warp writes a tile, the upper half reads it.
class HalvesOfAWarp : public EmulatorOrderBugs {
 protected:
  Diagnosis find_between(const std::string& producer, const std::string& consumer) {
    return find_in(R"(
__device__ void arrive(unsigned at) { asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory"); }
__device__ void wait(unsigned at, unsigned parity) {
  asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n @p bra DONE;\n bra WAIT;\n DONE: }" ::"r"(at), "r"(parity) : "memory");
}
extern "C" __global__ void kernel(const float* x, float* y, int n) {
  __shared__ unsigned long long barriers[2];
  __shared__ float other[4], tile[16];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(barriers)), second = at + 8;
  const int lane = threadIdx.x;
  if (lane < 2) asm volatile("mbarrier.init.shared.b64 [%0], 16;" ::"r"(at + 8 * lane));
  if (lane < 16) tile[lane] = 7;
  if (lane < 4) other[lane] = 7;
  __syncthreads();
  if (lane < 16) {
)" + producer + "\n} else {\n" +
                       consumer + "\n}\n}",
                   32);
  }
};

TEST_F(HalvesOfAWarp, WriteAfterItsArrival) {
  expect(find_between("arrive(at); tile[lane] = x[lane] + lane;",
                      "wait(at, 0);\ny[lane] = tile[31 - lane] + other[0];  // HERE"),
         Kind::race, "`kernel::tile` at byte ");
}

TEST_F(HalvesOfAWarp, ReadWithoutAWait) {
  const auto found = find_between("tile[lane] = x[lane] + lane; arrive(at);", "y[lane] = tile[31 - lane];");
  EXPECT_EQ(found.kind, Kind::race) << found.message;
}

TEST_F(HalvesOfAWarp, WaitForTheWrongBarrier) {
  expect(find_between("arrive(second); tile[lane] = x[lane] + lane; arrive(at);",
                      "wait(second, 0);\ny[lane] = tile[31 - lane];  // HERE"),
         Kind::race, "`kernel::tile` at byte ");
}

TEST_F(HalvesOfAWarp, LaneThatDoesNotWaitForWhatItsNeighbourWaitsFor) {
  expect(find_between("tile[lane] = x[lane] + lane; arrive(at);",
                      "if (lane < 24) wait(at, 0);\ny[lane] = tile[31 - lane];  // HERE"),
         Kind::race, "`kernel::tile` at byte ");
}

TEST_F(HalvesOfAWarp, WriteOfTheNextPhaseIsNotInOrder) {
  const auto found =
      find_between("tile[lane] = x[lane] + lane; arrive(at); tile[lane] = lane; if (lane == 0) arrive(at);",
                   "wait(at, 0);\ny[lane] = tile[31 - lane];");
  EXPECT_EQ(found.kind, Kind::race) << found.message;
}

TEST_F(EmulatorOrderBugs, GroupOfTwoWarpsThatDoesNotMeet) {
  const auto found = find_in(R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* x, float* y, int n) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ float part[64];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  part[threadIdx.x] = x[threadIdx.x];
  tile.sync();
  part[threadIdx.x] = threadIdx.x;
  y[threadIdx.x] = part[63 - threadIdx.x];
})");
  EXPECT_EQ(found.kind, Kind::race) << found.message;
}

TEST_F(EmulatorOrderBugs, RaceIsPlacedInItsVariable) {
  expect(find("__shared__ float first[32], second[32];\nfirst[threadIdx.x] = second[threadIdx.x] = 1;\n"
              "__syncthreads();\nsecond[threadIdx.x] = threadIdx.x;\n"
              "y[threadIdx.x] = second[threadIdx.x ^ 16] + first[threadIdx.x ^ 16];  // HERE",
              32),
         Kind::race, "second` at byte 64,");
}

// Blocks of 16 threads a row read tiles so: both halves of a warp the same row.
TEST_F(EmulatorOrderBugs, HalvesThatReadARowOfAnotherWarp) {
  expect(find("__shared__ float row[16];\nif (threadIdx.x < 16) row[threadIdx.x] = threadIdx.x;\n"
              "__syncthreads();\nif (threadIdx.x >= 48) row[threadIdx.x - 48] = 1000 + threadIdx.x;\n"
              "y[threadIdx.x] = row[threadIdx.x % 16];  // HERE",
              64),
         Kind::race, "row");
}

TEST_F(EmulatorOrderBugs, LaneThatWritesWhatBothHalvesRead) {
  expect(find("__shared__ float row[16];\nif (threadIdx.x < 16) row[threadIdx.x] = threadIdx.x;\n"
              "__syncwarp();\ny[threadIdx.x] = row[threadIdx.x % 16];\n"
              "if (threadIdx.x == 3) row[3] = 1000;  // HERE",
              32),
         Kind::race, "row");
}

TEST_F(EmulatorOrderBugs, LaneThatWritesWhatTwoLanesReadApart) {
  expect(find("__shared__ float row[16];\nif (threadIdx.x < 16) row[threadIdx.x] = threadIdx.x;\n"
              "__syncwarp();\ny[threadIdx.x] = row[threadIdx.x * 7 % 16];\n"
              "if (threadIdx.x == 18) row[14] = 1000;  // HERE",
              32),
         Kind::race, "row");
}

// The lower half meets, the upper half, which read the same, does not.
TEST_F(EmulatorOrderBugs, HalfThatMeetsAndWritesWhatTheOtherHalfRead) {
  for (const char* const place : {"threadIdx.x % 16", "threadIdx.x * 7 % 16", "threadIdx.x / 32"}) {
    expect(find("__shared__ float row[16];\nif (threadIdx.x < 16) row[threadIdx.x] = threadIdx.x;\n"
                "__syncwarp();\ny[threadIdx.x] = row[" +
                    std::string(place) +
                    "];\nif (threadIdx.x < 16) {\n__syncwarp(0xffffu);\n"
                    "row[threadIdx.x] = 1000 + threadIdx.x;  // HERE\n}",
                32),
           Kind::race, "row");
  }
}

TEST_F(EmulatorOrderBugs, NothingIsFoundInHalvesThatMeetBeforeTheyWrite) {
  load(R"(
extern "C" __global__ void kernel(float* x, float* y, int n) {
  __shared__ float row[16];
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x < 16) row[threadIdx.x] = threadIdx.x + i;
    __syncwarp();
    sum += row[threadIdx.x % 16] + row[threadIdx.x * 7 % 16] + row[threadIdx.x / 16];
    __syncwarp();
  }
  y[threadIdx.x] = sum;
})");
  if (!module_) return;
  const auto stopped = launch(1, 32, upload("x", std::vector<float>(64, 1.0f)), allocate<float>("y", 64), 64);
  EXPECT_FALSE(stopped) << stopped->message;
}

TEST_F(EmulatorOrderBugs, ShuffleInALoopThatSomeLanesLeave) {
  const auto found = find(
      "float v = x[threadIdx.x];\nfor (int i = 0; i < threadIdx.x % 3 + 1; ++i)\n"
      "v += __shfl_xor_sync(0xffffffffu, v, 1);  // HERE\n__syncwarp();\ny[threadIdx.x] = v;",
      32);
  EXPECT_EQ(found.kind, Kind::bad_sync) << found.message;
}

TEST_F(EmulatorOrderBugs, SyncwarpWithoutItsOwnLane) {
  expect(find("if (threadIdx.x >= 16) __syncwarp(0x0000ffffu);  // HERE\ny[threadIdx.x] = 1;", 32),
         Kind::bad_sync, "member mask");
}

TEST_F(EmulatorOrderBugs, LockThatIsNeverReleased) {
  const std::string source = R"(
__device__ int lock;
extern "C" __global__ void kernel(float* x, float* y, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    x[0] = x[0] + 1;
  }
})";
  for (const int threads : {1, 2}) {
    settings.threads = threads;
    expect(find_in(source, 32, 2), Kind::bad_sync, "atomic ticket");
  }
}

/// Who holds it is at work on another thread of the host for longer than a loop may wait for nobody.
TEST_F(EmulatorOrderBugs, NothingIsFoundInALockThatIsReleasedLate) {
  load(R"(
__device__ int lock;
extern "C" __global__ void kernel(float* x, float* y, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    int k = 0;
    for (int i = 0; i < 30000000; ++i) asm volatile("add.s32 %0, %0, 1;" : "+r"(k));
    x[0] = x[0] + k;
    __threadfence();
    atomicExch(&lock, 0);
  }
})");
  if (!module_) return;
  settings.threads = 2;
  const auto stopped = launch(3, 32, upload("x", std::vector<float>(64, 1.0f)), allocate<float>("y", 64), 64);
  EXPECT_FALSE(stopped) << stopped->message;
}

TEST_F(EmulatorOrderBugs, FlagRaisedWithoutAFence) {
  const std::string source = R"(
__device__ volatile int ready;
extern "C" __global__ void kernel(float* x, float* y, int n) {
  if (blockIdx.x == 0) {
    x[threadIdx.x] = 5.0f;
    if (threadIdx.x == 0) ready = 1;
  } else {
    while (ready == 0) {
    }
    y[threadIdx.x] = x[threadIdx.x];
  }
})";
  settings.cooperative = true;
  const auto found = find_in(source, 32, 2);
  EXPECT_EQ(found.kind, Kind::race) << found.message;
}

TEST_F(EmulatorOrderBugs, FlagInSharedMemoryRaisedWithoutAFence) {
  const auto found = find_in(R"(
extern "C" __global__ void kernel(float* x, float* y, int n) {
  __shared__ volatile int ready;
  __shared__ float value;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = x[0];
    ready = 1;
  }
  if (threadIdx.x == 32) {
    while (ready == 0) {
    }
    y[0] = value;
  }
})");
  EXPECT_EQ(found.kind, Kind::race) << found.message;
}

/// A fence is no barrier: who reads has to know that it was passed.
TEST_F(EmulatorOrderBugs, FenceInPlaceOfABarrier) {
  const auto found = find(
      "__shared__ volatile float tile[64];\ntile[threadIdx.x] = x[threadIdx.x];\n"
      "__threadfence_block();\ny[threadIdx.x] = tile[threadIdx.x] + tile[63 - threadIdx.x];  // HERE");
  EXPECT_TRUE(found.kind == Kind::race || found.kind == Kind::uninitialised_read) << found.message;
}

TEST_F(EmulatorOrderBugs, ReadsWhatASwapLoopMadeWithoutABarrier) {
  const auto found = find(R"(
__shared__ int most;
if (threadIdx.x == 0) most = 0;
__syncthreads();
int old = most, assumed;
do {
  assumed = old;
  old = atomicCAS(&most, assumed, assumed + 1);
} while (assumed != old);
y[threadIdx.x] = most;)");
  EXPECT_EQ(found.kind, Kind::race) << found.message;
}

TEST_F(EmulatorOrderBugs, SwapLoopWhoseFirstLookMeetsAPlainStore) {
  const std::string source = R"(
extern "C" __global__ void kernel(float* x, float* y, int n) {
  int* at = reinterpret_cast<int*>(x);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 5) *at = 7;
  } else {
    int old = *at, assumed;
    do {
      assumed = old;
      old = atomicCAS(at, assumed, assumed + 1);
    } while (old != assumed);
  }
})";
  const auto found = find_in(source, 32, 2);
  EXPECT_EQ(found.kind, Kind::race) << found.message;
}

/// The block that comes last adds up what the others left; `fence`, `add`: what tells it so.
std::string last_block(const std::string& fence, const std::string& add) {
  return "__device__ int ready;\nextern \"C\" __global__ void kernel(float* x, float* y, int n) {\n"
         "__shared__ bool is_last;\nif (threadIdx.x == 0) {\nx[blockIdx.x] = 5.0f;\n" +
         fence + "();\nis_last = " + add +
         "(&ready, 1) == gridDim.x - 1;\n}\n__syncthreads();\nif (!is_last) return;\n__threadfence();\n"
         "y[threadIdx.x] = x[threadIdx.x % gridDim.x];\n}\n";
}

TEST_F(EmulatorOrderBugs, FenceOfTheBlockAloneBetweenBlocks) {
  expect(find_in(last_block("__threadfence_block", "atomicAdd"), 32, 2), Kind::race, "reads `x`");
}

TEST_F(EmulatorOrderBugs, AtomicsOfTheBlockAloneBetweenBlocks) {
  expect(find_in(last_block("__threadfence", "atomicAdd_block"), 32, 2), Kind::race, "of .cta scope");
}

TEST_F(EmulatorOrderBugs, FenceOnTheWrongSideOfTheFlag) {
  for (const char* const raise : {"atomicAdd(&ready, 1)", "*static_cast<volatile int*>(&ready) = 1"}) {
    const auto found = find_in(
        std::string(
            "__device__ int ready;\nextern \"C\" __global__ void kernel(float* x, float* y, int n) {\n"
            "if (blockIdx.x == 0) {\nif (threadIdx.x == 0) {\nx[0] = 5.0f;\n") +
            raise +
            ";\n__threadfence();\n}\n} else {\nif (threadIdx.x == 0) while (atomicAdd(&ready, 0) == 0) "
            "{\n}\n" +
            "__syncthreads();\n__threadfence();\ny[threadIdx.x] = x[0];\n}\n}\n",
        32, 2);
    expect(found, Kind::race, "reads `x`");
  }
}

TEST_F(EmulatorOrderBugs, NothingIsFoundInFencesOfTheDeviceOrAtomicsWithinABlock) {
  for (const char* const add : {"atomicAdd", "atomicAdd_system"}) {
    load(last_block("__threadfence", add));
    if (!module_) return;
    const U64 x = upload("x", std::vector<float>(64, 1.0f)), y = allocate<float>("y", 64);
    const auto stopped = launch(2, 32, x, y, 64);
    EXPECT_FALSE(stopped) << stopped->message;
  }
  load(
      "extern \"C\" __global__ void kernel(float* x, float* y, int n) {\n"
      "atomicAdd_block(x + blockIdx.x, 1.0f);\n__syncthreads();\ny[blockIdx.x] = x[blockIdx.x];\n}\n");
  const U64 x = upload("x", std::vector<float>(64, 1.0f)), y = allocate<float>("y", 64);
  const auto stopped = launch(2, 64, x, y, 64);
  EXPECT_FALSE(stopped) << stopped->message;
}

TEST_F(EmulatorOrderBugs, ReadsThroughTheReadOnlyCacheWhatItsOwnLaunchWrote) {
  expect(
      find("x[threadIdx.x] = 2;\n__syncthreads();\ny[threadIdx.x] = __ldg(x + (63 - threadIdx.x));  // HERE"),
      Kind::race, "ld.global.nc");
  expect(find("y[threadIdx.x] = __ldg(x + threadIdx.x);\nx[threadIdx.x] = 2;\n"
              "y[threadIdx.x] += __ldg(x + threadIdx.x);  // HERE"),
         Kind::race, "ld.global.nc");
}

/// %warpid is a place of the multiprocessor, not the warp's number in its block.
TEST_F(EmulatorOrderBugs, TakesTheHardwaresWarpForItsNumberInTheBlock) {
  expect(find("__shared__ float part[2];\nunsigned warp;\nasm volatile(\"mov.u32 %0, %%warpid;\" : "
              "\"=r\"(warp));\n"
              "part[warp] = x[threadIdx.x];  // HERE\n__syncthreads();\ny[threadIdx.x] = part[0];"),
         Kind::out_of_bounds, "part");
}

TEST_F(EmulatorOrderBugs, TakesSharedMemoryToBeginAtAddressZero) {
  expect(find("__shared__ float tile[64];\ntile[threadIdx.x] = 1;\n__syncthreads();\n"
              "asm volatile(\"st.shared.f32 [%0], %1;\" :: \"r\"(threadIdx.x * 4), \"f\"(x[threadIdx.x]) : "
              "\"memory\");  "
              "// HERE\n__syncthreads();\ny[threadIdx.x] = tile[threadIdx.x];"),
         Kind::out_of_bounds, "before the start of `kernel::tile`");
}

}  // namespace
}  // namespace kgen::emulator
