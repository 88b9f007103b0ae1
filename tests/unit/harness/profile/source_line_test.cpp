#include <gtest/gtest.h>

#include <set>

#include "harness/compile/compile_pool.hpp"
#include "harness/profile/pc_sampler.hpp"

namespace kgen::profile {
namespace {

constexpr const char* kSource =
    "extern \"C\" __global__ void k(const float* x, float* y, int n) {\n"  // line 1
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    y[i] = x[i] * 2.0f;\n"  // line 4
    "}\n";

TEST(SourceLine, InstructionsAreOfTheLinesOfTheCandidate) {
  auto cupti = Cupti::open(cupti_folders());
  if (!cupti) GTEST_SKIP() << "no CUPTI here: " << cupti.error().message;
  compile::CompilePoolOptions options;
  options.process.command = {KGEN_WORKER, "compile"};
  options.processes = 1;
  auto pool = compile::CompilePool::start(std::move(options));
  ASSERT_TRUE(pool) << pool.error().text();
  compile::CompileRequest request;
  request.source = kSource;
  request.kernels = {"k"};
  request.lineinfo = true;
  const auto results = (*pool)->compile_all({request});
  ASSERT_TRUE(results.front().ok) << results.front().message;
  std::set<int> lines;
  for (std::uint64_t offset = 0; offset < 1024; offset += 16)
    lines.insert(line_of(*cupti, results.front().cubin, "k", offset, "kernel.cu"));
  EXPECT_TRUE(lines.contains(4));
  EXPECT_TRUE(lines.contains(2));
  EXPECT_LE(*lines.rbegin(), 5);
  EXPECT_EQ(line_of(*cupti, results.front().cubin, "k", 0, "other.cu"), 0);
  EXPECT_EQ(line_of(*cupti, results.front().cubin, "no_such_kernel", 0, "kernel.cu"), 0);
  EXPECT_EQ(line_of(*cupti, "no cubin", "k", 0, "kernel.cu"), 0);
}

}  // namespace
}  // namespace kgen::profile
