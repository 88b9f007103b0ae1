// Kernels with a bug each around cp.async, which reads and writes from its issue until it is waited for.
#include "emulator_bugs.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

class EmulatorCopyBugs : public EmulatorBugs {
 protected:
  /// find_in() of a kernel that may call copy(to, from, bytes that the source has).
  Diagnosis find_copy(const std::string& body, U32 block = 64) {
    return find_in(kCopies + body + "\n}\n", block);
  }
  /// The kernel runs to its end.
  void expect_clean(const std::string& body) {
    load(kCopies + body + "\n}\n");
    if (!module_) return;
    const U64 x = upload("x", std::vector<float>(64, 1.0f)), y = allocate<float>("y", 64);
    const auto stopped = launch(1, 64, x, y, 64);
    EXPECT_FALSE(stopped) << stopped->message;
  }

  const std::string kCopies = R"(
__device__ void copy(void* to, const void* from, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::
    "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from), "r"(bytes) : "memory");
}
__device__ void wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }
extern "C" __global__ void kernel(float* x, float* y, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
)";
};

TEST_F(EmulatorCopyBugs, BeginsBeforeTheBarrierBehindTheLastReads) {
  expect(
      find_copy("tile[i] = x[i];\n__syncthreads();\ny[i] = tile[63 - i];\n"
                "copy(tile + i, x + i, 4);\n__syncthreads();\nwait();\n__syncthreads();\ny[i] += tile[i];"),
      Kind::race, "`kernel::tile` at byte");
}

TEST_F(EmulatorCopyBugs, BeginsBeforeTheBarrierBehindAnotherThreadsWrite) {
  expect(find_copy(
             "tile[i] = 0;\ncopy(tile + (63 - i), x + i, 4);\n__syncthreads();\nwait();\n__syncthreads();\n"
             "y[i] = tile[i];"),
         Kind::race, "`kernel::tile`");
}

TEST_F(EmulatorCopyBugs, ReadsWhatWasThereWhileTheCopyIsOnItsWay) {
  expect(find_copy("tile[i] = 0;\n__syncthreads();\ncopy(tile + (63 - i), x + i, 4);\n__syncthreads();\n"
                   "y[i] = tile[i];  // HERE\nwait();"),
         Kind::race, "which has not been waited for");
}

TEST_F(EmulatorCopyBugs, WritesWhereItsOwnCopyIsToLand) {
  expect(find_copy(
             "copy(tile + i, x + i, 4);\ntile[i] = 3;  // HERE\nwait();\n__syncthreads();\ny[i] = tile[i];"),
         Kind::race, "which has not been waited for");
}

TEST_F(EmulatorCopyBugs, TwoCopiesOfDifferentValuesToOnePlace) {
  expect(find_copy("x[i] = i;\n__syncthreads();\ncopy(tile + i / 2, x + i, 4);\nwait();\n__syncthreads();\n"
                   "y[i] = tile[i / 2];"),
         Kind::race, "`kernel::tile`");
}

TEST_F(EmulatorCopyBugs, CopiesWhatAnotherThreadWroteWithoutABarrier) {
  expect(
      find_copy("x[i] = i;\ncopy(tile + i, x + (63 - i), 4);\n__syncthreads();\nwait();\n__syncthreads();\n"
                "y[i] = tile[i];"),
      Kind::race, "`x` at byte");
}

TEST_F(EmulatorCopyBugs, ThreadThatEndsBeforeItsCopy) {
  expect(find_copy("tile[i] = 0;\n__syncthreads();\nif (i < 32) {\ncopy(tile + i, x + i, 4);\nreturn;\n}\n"
                   "__syncthreads();\ny[i] = tile[i - 32];  // HERE"),
         Kind::race, "which has not been waited for");
}

TEST_F(EmulatorCopyBugs, NothingIsFoundInCopiesThatAreWaitedFor) {
  expect_clean(
      "float sum = 0;\nfor (int step = 0; step < 3; ++step) {\n__syncthreads();\n"
      "copy(tile + i, x + i, i % 4 == 0 ? 0 : 4);\nwait();\n__syncthreads();\nsum += tile[63 - i];\n}\n"
      "y[i] = sum;");
  expect_clean("copy(tile + i / 2, x + i / 2, 4);\nwait();\n__syncthreads();\ny[i] = tile[i / 4];");
}

}  // namespace
}  // namespace kgen::emulator
