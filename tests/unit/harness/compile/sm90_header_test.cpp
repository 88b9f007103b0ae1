// <kgen/sm90.cuh> through the compile role, without a GPU: what tests/gpu runs compiles here, and with no
// warning of ptxas that wgmma is serialised.
#include "gpu/sm90_products.hpp"
#include "real_compiler.hpp"

namespace kgen::compile {
namespace {

class Sm90Header : public RealCompiler {
 protected:
  static std::string kernel_file(const std::string& name) {
    return util::read_file(std::string(KGEN_SOURCE_DIR) + "/tests/gpu/kernels/" + name).value();
  }
  static CompileResult expect_compiles(const std::string& source, const std::vector<std::string>& kernels) {
    CompileRequest request;
    request.source = source;
    request.kernels = kernels;
    return expect_compiles(request);
  }
  static CompileResult expect_compiles(const CompileRequest& request) {
    CompileResult result = compiler_->compile(request);
    EXPECT_TRUE(result.ok) << result.message << "\n" << result.log;
    EXPECT_TRUE(result.performance_warnings.empty()) << result.log;
    for (const CompiledKernel& kernel : result.kernels)
      EXPECT_EQ(kernel.spill_store_bytes, 0) << kernel.expression;
    return result;
  }
};

TEST_F(Sm90Header, HasEverySizeOfEveryAccumulator) {
  expect_compiles(kernel_file("sm90_wgmma.cu"), test::all_sizes());
}

TEST_F(Sm90Header, HasEveryKindOfProduct) {
  std::vector<std::string> kernels;
  for (const test::Product& product : test::all_products()) kernels.push_back(product.expression());
  expect_compiles(kernel_file("sm90_wgmma.cu"), kernels);
}

TEST_F(Sm90Header, HasCopiesBarriersAndClusters) {
  expect_compiles(kernel_file("sm90_tma.cu"),
                  {"load_box<1, Swizzle::none>", "load_box<5, Swizzle::b32>", "load_with_hints",
                   "store_box<1, false>", "store_box<5, false>", "store_box<2, true>", "bulk_copy",
                   "multicast", "neighbours", "ring<3>", "turns", "elect", "wait_for_nothing", "registers"});
}

/// Register counts beyond the launch's need setmaxnreg to be believed: a spill here says that it is not.
TEST_F(Sm90Header, WholeKernelsHaveNoSpillAndNoSerialisedProduct) {
  CompileRequest request;
  request.source = kernel_file("sm90_matmul.cu");
  request.kernels = {"matmul"};
  request.macros = {{"STAGES", 4}, {"GROUP", 8}};
  expect_compiles(request);
  for (const int causal : {0, 1}) {
    request.source = kernel_file("sm90_attention.cu");
    request.kernels = {"attention"};
    request.macros = {{"CAUSAL", causal}};
    expect_compiles(request);
  }
}

TEST_F(Sm90Header, RefusesProductsThatWgmmaLacks) {
  const std::string front = "#include <kgen/sm90.cuh>\nusing namespace kgen::sm90;\n";
  const auto kernel = [&](const std::string& body) {
    return front + "__global__ void k(uint64_t* p) { " + body + " }";
  };
  for (const char* body :
       {"float d[3]; wgmma<bf16>(d, p[0], p[1], false);",                       // N = 6
        "uint32_t d[4]; wgmma<bf16>(d, p[0], p[1], false);",                    // bf16 into f16
        "int d[20]; wgmma<s8>(d, p[0], p[1], false);",                          // N = 40 of integers
        "float d[4]; wgmma<tf32, Major::K, Major::MN>(d, p[0], p[1], false);",  // tf32 is K-major
        "descriptor_k_major<Swizzle::none>(p);", "setmaxnreg_inc<33>();"}) {
    const CompileResult result = compile(kernel(body), {"k"});
    EXPECT_EQ(result.failure, CompileFailure::compile_error) << body;
  }
}

/// A candidate that uses it is compiled in milliseconds once the header is precompiled (docs/compile.md).
TEST_F(Sm90Header, IsPrecompiledWhereItIsIncluded) {
  const std::string source = R"(
#include <kgen/sm90.cuh>
#include <cuda_fp8.h>  // no other test has these two
using namespace kgen::sm90;
__global__ void __launch_bounds__(128) k(float* out) {
  extern __shared__ __align__(1024) unsigned char smem[];
  float d[64];
  wgmma_fence(d);
  wgmma<bf16>(d, descriptor_k_major(smem), descriptor_k_major(smem + 8192), false);
  wgmma_commit();
  wgmma_wait<0>(d);
  for (int i = 0; i < 64; ++i) out[threadIdx.x * 64 + i] = d[i];
}
)";
  const CompileResult first = expect_compiles(source, {"k"});
  const CompileResult second = expect_compiles(source + "// again\n", {"k"});
  EXPECT_TRUE(first.precompiled_headers_created);
  EXPECT_FALSE(second.precompiled_headers_created);
  std::printf("  first compile %.0f ms, the next %.0f ms\n", first.ms, second.ms);
}

}  // namespace
}  // namespace kgen::compile
