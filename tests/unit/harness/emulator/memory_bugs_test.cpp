// More kernels with a bug each, in what they read and write: tails, tiles, fragments, asynchronous copies.
#include <string>

#include "emulator_bugs.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

class EmulatorMemoryBugs : public EmulatorBugs {};

TEST_F(EmulatorMemoryBugs, VectorLoadOfATail) {
  expect(find("const float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x];  // HERE\ny[threadIdx.x] = "
              "v.x + v.y + v.z + v.w;",
              17),
         Kind::out_of_bounds, "reads 16 bytes right past the end of `x`");
}

TEST_F(EmulatorMemoryBugs, VectorStoreAcrossTheEnd) {
  expect(find("float2* p = reinterpret_cast<float2*>(y + 62);\np[threadIdx.x] = make_float2(x[0], x[1]);  // "
              "HERE",
              2),
         Kind::out_of_bounds, "writes 8 bytes right past the end of `y`");
}

TEST_F(EmulatorMemoryBugs, LoopThatRunsOnceTooOften) {
  expect(find("float sum = 0;\nfor (int i = threadIdx.x; i <= n; i += blockDim.x) sum += x[i];  // HERE\n"
              "y[threadIdx.x] = sum;"),
         Kind::out_of_bounds, "reads 4 bytes right past the end of `x`");
}

TEST_F(EmulatorMemoryBugs, IndexThatOverflows32Bits) {
  const auto found =
      find("const int i = (int(threadIdx.x) + n) * 67108864;\ny[threadIdx.x] = x[i];  // HERE");
  EXPECT_TRUE(found.kind == Kind::fault || found.kind == Kind::out_of_bounds) << found.message;
  EXPECT_EQ(found.line, here_) << found.message;
}

TEST_F(EmulatorMemoryBugs, NegativeIndexOfASharedArray) {
  expect(find("__shared__ float halo[66];\nhalo[threadIdx.x + 1] = x[threadIdx.x];\n__syncthreads();\n"
              "y[threadIdx.x] = halo[int(threadIdx.x) - 1];  // HERE"),
         Kind::out_of_bounds, "4 bytes before the start of `kernel::halo`");
}

TEST_F(EmulatorMemoryBugs, HaloThatNobodyLoads) {
  expect(find("__shared__ float halo[66];\nhalo[threadIdx.x + 1] = x[threadIdx.x];\n__syncthreads();\n"
              "y[threadIdx.x] = halo[threadIdx.x] + halo[threadIdx.x + 1];  // HERE"),
         Kind::uninitialised_read, "halo");
}

TEST_F(EmulatorMemoryBugs, DynamicSharedMemoryThatIsTooSmall) {
  settings.dynamic_shared = 128;
  expect(
      find("extern __shared__ float tile[];\ntile[threadIdx.x] = x[threadIdx.x];  // HERE\n__syncthreads();\n"
           "y[threadIdx.x] = tile[63 - threadIdx.x];"),
      Kind::out_of_bounds, "right past the end of `dynamic shared memory` (128 bytes)");
}

TEST_F(EmulatorMemoryBugs, DynamicSharedMemoryThatNobodyAskedFor) {
  expect(
      find("extern __shared__ float tile[];\ntile[threadIdx.x] = x[threadIdx.x];  // HERE\n__syncthreads();\n"
           "y[threadIdx.x] = tile[63 - threadIdx.x];"),
      Kind::out_of_bounds, "(0 bytes)");
}

TEST_F(EmulatorMemoryBugs, HistogramWithOneBinTooFew) {
  expect(find("__shared__ int bins[8];\nif (threadIdx.x < 8) bins[threadIdx.x] = 0;\n__syncthreads();\n"
              "atomicAdd(&bins[threadIdx.x % 9], 1);  // HERE\n__syncthreads();\ny[threadIdx.x] = bins[0];"),
         Kind::out_of_bounds, "right past the end of `kernel::bins`");
}

TEST_F(EmulatorMemoryBugs, AtomicPastTheEnd) {
  expect(find("atomicAdd(&x[n], 1.0f);  // HERE"), Kind::out_of_bounds, "right past the end of `x`");
}

TEST_F(EmulatorMemoryBugs, AtomicOnWhatNothingWrote) {
  expect(find("atomicAdd(&y[0], x[threadIdx.x]);  // HERE"), Kind::uninitialised_read, "`y` at byte 0");
}

TEST_F(EmulatorMemoryBugs, LocalArrayReadBeforeItIsWritten) {
  expect(find("float own[8];\nfor (int i = 0; i < n / 16; ++i) own[(i + n) % 8] = x[i];\n"
              "y[threadIdx.x] = own[threadIdx.x % 8];  // HERE"),
         Kind::uninitialised_read, "local memory");
}

/// What a call left on the stack is no part of the kernel's own array.
TEST_F(EmulatorMemoryBugs, LocalArrayThatGrowsIntoTheFrameOfACallThatReturned) {
  const auto found = find_in(R"(
__device__ __noinline__ float sum_of(const float* x, int n) {
  float own[32];
  for (int i = 0; i < 32; ++i) own[(i + n) % 32] = x[i];
  return own[n % 32] + own[(n + 5) % 32];
}
extern "C" __global__ void kernel(float* x, float* y, int n) {
  float own[8];
  for (int i = 0; i < 8; ++i) own[(i + n) % 8] = sum_of(x, i);
  own[n / 4] = 1.0f;  // HERE
  y[threadIdx.x] = own[threadIdx.x % 8];
})");
  expect(found, Kind::out_of_bounds, "past the end of `local memory`");
}

TEST_F(EmulatorMemoryBugs, MisalignedPairOfHalves) {
  expect(find("const __half2 v = *reinterpret_cast<const __half2*>(reinterpret_cast<const char*>(x) + 2);  "
              "// HERE\n"
              "y[threadIdx.x] = __low2float(v);"),
         Kind::fault, "not a multiple of 4");
}

TEST_F(EmulatorMemoryBugs, MisalignedSharedVector) {
  expect(find("__shared__ float tile[72];\ntile[threadIdx.x] = x[threadIdx.x];\ntile[64 + threadIdx.x % 8] = "
              "0.0f;\n__syncthreads();\nconst float2 v = *reinterpret_cast<const float2*>(tile + "
              "threadIdx.x);  // HERE\n"
              "y[threadIdx.x] = v.x + v.y;"),
         Kind::fault, "not a multiple of 8");
}

TEST_F(EmulatorMemoryBugs, StoreToConstantMemory) {
  const auto found = find_in(
      "__constant__ float table[64];\nextern \"C\" __global__ void kernel(float* x, float* y, int n) {\n"
      "unsigned long long at = reinterpret_cast<unsigned long long>(table);\nasm volatile(\"\" : "
      "\"+l\"(at));\n"
      "reinterpret_cast<float*>(at)[threadIdx.x] = x[threadIdx.x];  // HERE\ny[threadIdx.x] = 1;\n}");
  expect(found, Kind::fault, "constant memory");
}

TEST_F(EmulatorMemoryBugs, AsynchronousCopyThatNobodyAwaits) {
  expect(
      find("__shared__ __align__(16) float tile[64];\nif (threadIdx.x < 16)\n"
           "__pipeline_memcpy_async(tile + 4 * threadIdx.x, x + 4 * threadIdx.x, 16);\n__pipeline_commit();\n"
           "__syncthreads();\ny[threadIdx.x] = tile[threadIdx.x];  // HERE"),
      Kind::uninitialised_read, "tile");
}

TEST_F(EmulatorMemoryBugs, AwaitsOneGroupOfCopiesTooFew) {
  expect(find("__shared__ __align__(16) float tile[2][64];\nfor (int s = 0; s < 2; ++s) {\nif (threadIdx.x < "
              "16)\n"
              "__pipeline_memcpy_async(&tile[s][4 * threadIdx.x], x + 4 * threadIdx.x, "
              "16);\n__pipeline_commit();\n}\n"
              "__pipeline_wait_prior(1);\n__syncthreads();\ny[threadIdx.x] = tile[1][threadIdx.x];  // HERE"),
         Kind::uninitialised_read, "tile");
}

TEST_F(EmulatorMemoryBugs, CopiesAwaitedWithoutABarrier) {
  const auto found = find(
      "__shared__ __align__(16) float tile[64];\nif (threadIdx.x < 16)\n"
      "__pipeline_memcpy_async(tile + 4 * threadIdx.x, x + 4 * threadIdx.x, 16);\n__pipeline_commit();\n"
      "__pipeline_wait_prior(0);\ny[threadIdx.x] = tile[63 - threadIdx.x];  // HERE");
  EXPECT_TRUE(found.kind == Kind::race || found.kind == Kind::uninitialised_read) << found.message;
}

TEST_F(EmulatorMemoryBugs, FragmentLoadedWithAWrongLeadingDimension) {
  const auto found = find_in(
      "#include <mma.h>\nextern \"C\" __global__ void kernel(float* x, float* y, int n) {\n"
      "__shared__ __half tile[16 * 16];\nfor (int i = threadIdx.x; i < 256; i += 32) tile[i] = "
      "__float2half(x[i % n]);\n"
      "__syncwarp();\nnvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, "
      "nvcuda::wmma::row_major> a;\n"
      "nvcuda::wmma::load_matrix_sync(a, tile, 24);  // HERE\ny[threadIdx.x] = __half2float(a.x[0]);\n}",
      32);
  EXPECT_EQ(found.kind, Kind::out_of_bounds) << found.message;
  EXPECT_NE(found.message.find("tile"), std::string::npos) << found.message;
}

TEST_F(EmulatorMemoryBugs, MatrixRowThatIsNotAligned) {
  expect(find("__shared__ __align__(16) unsigned short tile[8 * 9 + 64];\n"
              "for (int i = threadIdx.x; i < 136; i += 32) tile[i] = i;\n__syncwarp();\n"
              "const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x % 8 * "
              "9));\nunsigned v;\n"
              "asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(v) : "
              "\"r\"(at));  // HERE\n"
              "y[threadIdx.x] = v;",
              32),
         Kind::fault, "not a multiple of 16");
}

/// Integers know no NaN that would show where such a row goes.
TEST_F(EmulatorMemoryBugs, MatrixRowOfIntegersThatNothingWrote) {
  expect(find(R"(
__shared__ __align__(16) unsigned tile[8 * 4];
if (threadIdx.x < 28) tile[threadIdx.x] = 1;
__syncwarp();
const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x % 8 * 4));
unsigned v;
asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(at));  // HERE
int c[4] = {};
asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4}, {%4}, {%0,%1,%2,%3};"
             : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(v));
y[threadIdx.x] = c[0];)",
              32),
         Kind::uninitialised_read, "tile");
}

/// What a copy is yet to bring is no row left out.
TEST_F(EmulatorMemoryBugs, MatrixRowsWhoseCopyNobodyAwaits) {
  expect(find(R"(
__shared__ __align__(16) float tile[32];
if (threadIdx.x < 8) __pipeline_memcpy_async(tile + 4 * threadIdx.x, x + 4 * threadIdx.x, 16);
__pipeline_commit();
__syncwarp();
const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x % 8 * 4));
unsigned v;
asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(at) : "memory");  // HERE
y[threadIdx.x] = v;)",
              32),
         Kind::uninitialised_read, "tile");
}

}  // namespace
}  // namespace kgen::emulator
