#include <gtest/gtest.h>

#include "core/launch_plan.hpp"
#include "prompt/prompt_library.hpp"
#include "unit/harness/compile/real_compiler.hpp"

namespace kgen::compile {
namespace {

/// The code that every prompt shows must be code that works.
class PromptExample : public RealCompiler {
 protected:
  static void expect_compiles(CompileRequest request) {
    const CompileResult result = compiler_->compile(request);
    EXPECT_EQ(result.failure, CompileFailure::none) << result.log;
    EXPECT_TRUE(result.performance_warnings.empty());
    for (const CompiledKernel& kernel : result.kernels) EXPECT_EQ(kernel.spill_store_bytes, 0);
  }
  const prompt::PromptLibrary library_ = prompt::PromptLibrary::load().value();
};

TEST_F(PromptExample, CompilesForEveryChoiceOfItsTunables) {
  const std::string& source = library_.text("example.cu");
  ASSERT_TRUE(core::parse_plan(source));
  for (const char* dtype : {"bf16", "f16"}) {
    for (const int threads : {256, 512, 1024}) {
      CompileRequest request;
      request.source = source;
      request.kernels = {"rms_norm"};
      request.macros = {{"THREADS", threads}, {"COLS", 8192}};
      request.type_aliases = {{"x", dtype}, {"w", dtype}, {"y", dtype}};
      expect_compiles(request);
    }
  }
}

TEST_F(PromptExample, SnippetsCompile) {
  CompileRequest request;
  request.source = library_.text("bulk_copy.cu") + library_.text("streaming_load.cu") + R"(
__global__ void k(const uint4* source, uint4* target) {
  extern __shared__ __align__(128) unsigned char smem[];
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) barrier_init(&barrier);
  __syncthreads();
  if (threadIdx.x == 0) load_bulk(smem, source, 4096, &barrier);
  barrier_wait(&barrier, 0);
  target[threadIdx.x] = reinterpret_cast<uint4*>(smem)[threadIdx.x];
  target[threadIdx.x + 256] = load_streaming(source + threadIdx.x + 256);
})";
  request.kernels = {"k"};
  expect_compiles(request);
}

TEST_F(PromptExample, ProductWithWgmmaCompiles) {
  const std::string& source = library_.text("wgmma_example.cu");
  const auto plan = core::parse_plan(source);
  ASSERT_TRUE(plan);
  CompileRequest request;
  request.source = source;
  request.kernels = {"linear"};
  request.macros = {{"STAGES", 4}, {"TMX_BYTES", 16384}, {"TMW_BYTES", 16384}};
  request.type_aliases = {{"x", "bf16"}, {"w", "bf16"}, {"y", "bf16"}};
  expect_compiles(request);
}

}  // namespace
}  // namespace kgen::compile
